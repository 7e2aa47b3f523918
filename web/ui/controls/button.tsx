import { clsx } from 'clsx'
import type { ComponentProps, ReactNode } from 'react'
import { Ring } from '#web/ui/feedback/loading.tsx'
import { Link } from './link.tsx'
import { Tooltip } from './tooltip.tsx'

type Look = { variant?: keyof typeof variants | undefined; size?: keyof typeof sizes | undefined }

const variants = {
  primary: 'bg-accent text-accent-ink border-transparent shadow-sm hover:bg-accent-strong',
  secondary: 'bg-raised text-ink border-edge/55 shadow-sm hover:border-edge hover:bg-surface',
  quiet: 'bg-transparent text-muted border-transparent hover:bg-hover hover:text-ink',
  /** For a button that opens the confirmation of a dangerous action. */
  warning: 'bg-raised text-danger border-edge/55 shadow-sm hover:border-danger/60 hover:bg-danger-soft',
  danger: 'bg-danger-fill text-danger-ink border-transparent shadow-sm hover:bg-danger-fill-strong',
}

const sizes = {
  sm: 'min-h-8 px-3 py-1 text-sm rounded-md pointer-coarse:min-h-11',
  /** For a row of small choices. */
  chip: 'min-h-8 px-2.5 py-1 text-sm rounded-full pointer-coarse:min-h-11',
  md: 'min-h-10 px-4 py-1.5 text-sm rounded-md pointer-coarse:min-h-11',
  lg: 'min-h-12 px-6 py-2 text-base rounded-lg',
}

/** The class of an element that looks like a button, for links to other sites. Its label wraps only where a line has no space for it. */
export function buttonClass({ variant = 'secondary', size = 'md' }: Look, className?: string) {
  return clsx(
    'inline-flex max-w-full min-w-fit items-center justify-center gap-2 border text-center font-semibold text-balance no-underline select-none',
    'transition-colors active:translate-y-px motion-reduce:active:translate-y-0',
    'disabled:pointer-events-none disabled:opacity-50 [&_svg]:size-4 [&_svg]:shrink-0',
    variants[variant],
    sizes[size],
    className,
  )
}

type ButtonProps = ComponentProps<'button'> & Look & { icon?: ReactNode; busy?: boolean; busyLabel?: string }

/** A button. While `busy` it shows a spinner, keeps its width and focus, and ignores clicks. */
export function Button(props: ButtonProps) {
  const { variant, size, icon, busy, busyLabel, className, children, onClick, ...rest } = props
  return (
    <button
      type="button"
      {...rest}
      aria-disabled={busy || undefined}
      aria-busy={busy || undefined}
      className={buttonClass({ variant, size }, clsx('aria-disabled:cursor-progress', className))}
      onClick={busy ? (event) => event.preventDefault() : onClick}
    >
      {busyLabel === undefined ? (
        <>
          {busy ? <Ring /> : icon}
          {children}
        </>
      ) : (
        <span className="grid place-items-center *:col-start-1 *:row-start-1 *:flex *:items-center *:gap-2">
          <span className={clsx(busy && 'invisible')}>
            {icon}
            {children}
          </span>
          {/* Not role="status", whose content would be missing in the name of the button. */}
          <span className={clsx(!busy && 'invisible')} aria-live={busy ? 'polite' : undefined}>
            <Ring />
            {busyLabel}
          </span>
        </span>
      )}
    </button>
  )
}

/** A link that looks like a button, for navigation rather than an action. */
export function LinkButton({
  variant,
  size,
  icon,
  className,
  children,
  ...rest
}: ComponentProps<typeof Link> & Look & { icon?: ReactNode }) {
  return (
    <Link {...rest} className={buttonClass({ variant, size }, className)}>
      {icon}
      {children}
    </Link>
  )
}

type IconButtonProps = Omit<ComponentProps<'button'>, 'aria-label' | 'children'> & {
  label: string
  /** The tooltip, if the label also contains text that is shown beside the button. */
  tip?: string
  icon: ReactNode
  size?: 'sm' | 'md'
  danger?: boolean
}

/** A button with only an icon; its label is the accessible name, and the tooltip unless there is a `tip`. */
export function IconButton({
  label,
  tip = label,
  icon,
  size = 'md',
  danger,
  className,
  ...rest
}: IconButtonProps) {
  return (
    <Tooltip text={tip}>
      <button
        type="button"
        {...rest}
        aria-label={label}
        className={clsx(
          'inline-grid place-items-center rounded-md text-muted transition-colors pointer-coarse:size-11 [&_svg]:size-4.5',
          'disabled:pointer-events-none disabled:opacity-50',
          danger ? 'hover:bg-danger-soft hover:text-danger' : 'hover:bg-hover hover:text-ink',
          size === 'sm' ? 'size-8' : 'size-10',
          className,
        )}
      >
        {icon}
      </button>
    </Tooltip>
  )
}
