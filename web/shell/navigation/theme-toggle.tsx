import { Moon, Sun } from 'lucide-react'
import { IconButton } from '#web/ui/icon-button.tsx'
import { VisuallyHidden } from '#web/ui/visually-hidden.tsx'
import { menuRowClass } from './user-menu.tsx'

function ThemeIcon() {
  return (
    <>
      <Moon className="dark:hidden" aria-hidden="true" />
      <Sun className="hidden dark:block" aria-hidden="true" />
    </>
  )
}

/** Switches between day and night; the script of the page's head listens for it. */
export function ThemeToggle() {
  return <IconButton data-theme-toggle label="Toggle theme" icon={<ThemeIcon />} />
}

/** The same with the name of the other theme beside it, for the mobile menu. */
export function LabelledThemeToggle() {
  return (
    <button type="button" data-theme-toggle className={menuRowClass}>
      <ThemeIcon />
      <VisuallyHidden>Toggle theme: </VisuallyHidden>
      <span className="dark:hidden">Dark Mode</span>
      <span className="hidden dark:inline">Light Mode</span>
    </button>
  )
}
