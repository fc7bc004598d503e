import { Moon, Sun } from 'lucide-react';
import { IconButton } from '../ui/icon-button.tsx';
import { useTheme } from '../ui/theme.ts';
import { chooseTheme } from './theme.ts';

export function ThemeToggle() {
  const theme = useTheme();
  const other = theme === 'dark' ? 'light' : 'dark';
  const Icon = theme === 'dark' ? Sun : Moon;
  return (
    <IconButton label={`Switch to ${other} theme`} onClick={() => chooseTheme(other)}>
      <Icon size={18} strokeWidth={1.75} aria-hidden />
    </IconButton>
  );
}
