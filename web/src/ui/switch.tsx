import { Switch as Base } from '@base-ui/react/switch';

type Props = {
  readonly label: string;
  readonly checked: boolean;
  readonly onChange: (checked: boolean) => void;
  readonly disabled?: boolean;
  /** ID of a text that says what it does, or why it is disabled. */
  readonly describedBy?: string;
};

/** A switch that takes effect at once. The label is for screen readers; render a visible one beside it. */
export function Switch({ label, checked, onChange, disabled = false, describedBy }: Props) {
  return (
    <Base.Root
      aria-label={label}
      aria-describedby={describedBy}
      checked={checked}
      onCheckedChange={(next) => onChange(next)}
      disabled={disabled}
      className="relative inline-flex h-6 w-11 shrink-0 cursor-pointer items-center rounded-full border border-line-strong bg-sunken p-0.5 motion transition duration-[120ms] after:absolute after:-inset-2.5 data-[checked]:border-brand data-[checked]:bg-brand data-[disabled]:cursor-not-allowed data-[disabled]:opacity-50"
    >
      <Base.Thumb className="motion size-4.5 rounded-full bg-muted transition duration-[120ms] data-[checked]:translate-x-5 data-[checked]:bg-on-brand" />
    </Base.Root>
  );
}
