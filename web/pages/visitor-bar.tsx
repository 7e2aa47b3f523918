import { LogIn } from 'lucide-react'
import {
  barClass,
  barContentClass,
  MenuIcon,
  mobileMenuClass,
  RegisterRow,
  SignInLinks,
} from '#web/shell/navigation/bar-parts.tsx'
import { LabelledThemeToggle, ThemeToggle } from '#web/shell/navigation/theme-toggle.tsx'
import { IconButton } from '#web/ui/controls/button.tsx'
import { Link } from '#web/ui/controls/link.tsx'
import { menuRowClass } from '#web/ui/dialogs/menu-row.ts'
import { Wordmark } from '#web/ui/layout/logo.tsx'

/** The navigation bar of public pages for visitors. With a stored session, `islands/member.tsx` replaces it by that of the app. */
export function VisitorBar() {
  return (
    <header className={barClass} data-print="hidden">
      <nav aria-label="Main" className={barContentClass}>
        <Link to="/" className="mr-auto flex min-w-7 overflow-hidden rounded-sm">
          <Wordmark />
        </Link>
        <div className="hidden items-center gap-1 md:flex">
          <ThemeToggle />
        </div>
        <div className="hidden items-center gap-1 md:flex">
          <SignInLinks />
        </div>
        <div className="md:hidden">
          <IconButton label="Menu" icon={<MenuIcon />} popoverTarget="mobile-menu" />
          <div id="mobile-menu" popover="auto" className={mobileMenuClass}>
            <Link to="/login" className={menuRowClass}>
              <LogIn aria-hidden="true" />
              Sign In
            </Link>
            <LabelledThemeToggle />
            <RegisterRow />
          </div>
        </div>
      </nav>
    </header>
  )
}
