import { Menu, X } from 'lucide-react'
import { LinkButton } from '#web/ui/controls/button.tsx'

/** The border fades out at both ends, because only a plain color can continue into the gutter of the scrollbar. */
export const barClass =
  'fixed inset-x-0 top-0 z-30 h-nav bg-surface after:absolute after:inset-x-0 after:bottom-0 after:h-px after:bg-linear-to-r after:from-transparent after:via-line after:from-0% after:via-8% after:to-transparent after:to-100%'

export const barContentClass =
  'mx-auto flex h-full max-w-wide items-center gap-[min(0.25rem,1vw)] px-[min(1rem,5vw)] sm:px-6'

export const mobileMenuClass =
  'popover-menu fixed inset-x-0 top-nav w-full border-b border-line bg-raised p-2 text-ink shadow-lg'

/** The links of a visitor to sign in and to register. */
export function SignInLinks() {
  return (
    <>
      <LinkButton to="/login" variant="quiet" size="sm">
        Sign In
      </LinkButton>
      <LinkButton to="/register" variant="primary" size="sm">
        Get Started
      </LinkButton>
    </>
  )
}

/** The link to register, as the last row of a menu. */
export function RegisterRow() {
  return (
    <LinkButton to="/register" variant="primary" className="mt-2 w-full">
      Get Started
    </LinkButton>
  )
}

/** Three lines, or a cross while the menu is open. */
export function MenuIcon() {
  return (
    <>
      <Menu className="in-[header:has(#mobile-menu:popover-open)]:hidden" aria-hidden="true" />
      <X className="hidden in-[header:has(#mobile-menu:popover-open)]:block" aria-hidden="true" />
    </>
  )
}
