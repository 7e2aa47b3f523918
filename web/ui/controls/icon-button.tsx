import { clsx } from 'clsx'
import type { ComponentProps, ReactNode } from 'react'
import { Tooltip } from './tooltip.tsx'

type IconButtonProps = Omit<ComponentProps<'button'>, 'aria-label' | 'children'> & {
  label: string
  /** The tooltip, where the label also names what is shown beside the button. */
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
