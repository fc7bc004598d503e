import { useId } from 'react';
import { classNames } from '../../ui/class-names.ts';

type Props = { readonly parentLit: boolean; readonly childrenLit: boolean };

/** The product's constellation behind the card: its stars light up as the fields become valid. */
export function GuideStars({ parentLit, childrenLit }: Props) {
  return (
    <svg
      viewBox="0 0 560 560"
      aria-hidden="true"
      className="pointer-events-none fixed top-1/2 left-1/2 hidden w-[860px] max-w-none -translate-x-1/2 -translate-y-1/2 md:block"
    >
      <path d="M470 56 50 440M470 56l56 356" fill="none" className="stroke-star-violet/20" strokeWidth="1" />
      <GuideStar x={470} y={56} size={5} lit={parentLit} className="text-star-gold" />
      <GuideStar x={50} y={440} size={4} lit={childrenLit} className="text-star-violet" />
      <GuideStar x={526} y={412} size={4} lit={childrenLit} className="text-star-violet" />
    </svg>
  );
}

type StarProps = {
  readonly x: number;
  readonly y: number;
  readonly size: number;
  readonly lit: boolean;
  readonly className: string;
};

function GuideStar({ x, y, size, lit, className }: StarProps) {
  const glow = useId();
  return (
    <g className={classNames(className, 'motion transition-opacity duration-300', lit ? 'opacity-100' : 'opacity-50')}>
      <radialGradient id={glow}>
        <stop offset="0.2" stopColor="currentColor" stopOpacity={lit ? 0.5 : 0.2} />
        <stop offset="1" stopColor="currentColor" stopOpacity="0" />
      </radialGradient>
      <circle cx={x} cy={y} r={size * 6} fill={`url(#${glow})`} />
      <circle cx={x} cy={y} r={size} fill="currentColor" />
    </g>
  );
}
