import { Moon, Sun } from 'lucide-react'
import { IconButton } from '#web/ui/controls/button.tsx'
import { menuRowClass } from '#web/ui/dialogs/menu-row.ts'
import { VisuallyHidden } from '#web/ui/layout/accessibility.tsx'

function ThemeIcon() {
  return (
    <>
      <Moon className="dark:hidden" aria-hidden="true" />
      <Sun className="hidden dark:block" aria-hidden="true" />
    </>
  )
}

/** Toggles the theme; the script in the page's head handles the click. Without scripts, the theme is that of the system. */
export function ThemeToggle() {
  return (
    <IconButton data-theme-toggle className="noscript:hidden" label="Toggle theme" icon={<ThemeIcon />} />
  )
}

/** The theme toggle as a row of the mobile menu, labeled with the other theme. */
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
