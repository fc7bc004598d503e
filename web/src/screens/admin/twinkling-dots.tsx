import { limits } from '@kc/rules/limits';
import { useState } from 'react';

type Dot = { readonly left: number; readonly top: number; readonly size: number; readonly delay: number };

/** A few dots that twinkle behind the dashboard's title. They mean nothing and nobody hears of them. */
export function TwinklingDots() {
  const [dots] = useState(() => Array.from({ length: limits.dashboardDots }, anywhere));
  return (
    <div aria-hidden className="pointer-events-none absolute inset-x-0 top-0 h-20 overflow-hidden">
      {dots.map((dot) => (
        <span
          key={dot.left}
          className="motion absolute animate-[twinkle_3s_ease-in-out_infinite] rounded-full bg-brand opacity-60"
          style={{
            left: `${dot.left}%`,
            top: `${dot.top}%`,
            width: dot.size,
            height: dot.size,
            animationDelay: `${dot.delay}s`,
          }}
        />
      ))}
    </div>
  );
}

const anywhere = (): Dot => ({
  left: 58 + Math.random() * 42,
  top: Math.random() * 90,
  size: 2 + Math.random(),
  delay: -3 * Math.random(),
});
