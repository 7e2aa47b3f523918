import { clsx } from 'clsx'
import { Ellipsis } from 'lucide-react'
import { type ReactNode, useId, useRef } from 'react'
import { IconButton } from '#web/ui/controls/button.tsx'
import { useNavigationCloses } from './use-history-layer.ts'

const GAP_PX = 4

type MenuProps = { label: string; className?: string; children: ReactNode }

/**
 * A button that opens a menu below it, or above it if there is not enough space, as a native popover. Any press in the menu
 * closes it.
 */
export function Menu({ label, className, children }: MenuProps) {
  const id = useId()
  const button = useRef<HTMLDivElement>(null)
  const popover = useRef<HTMLDivElement>(null)
  useNavigationCloses(popover)

  function updatePosition() {
    if (!button.current || !popover.current) return
    const { top, bottom, right } = button.current.getBoundingClientRect()
    const { offsetHeight: height, offsetWidth: width, style } = popover.current
    const isBelow = bottom + GAP_PX + height <= innerHeight
    style.top = `${isBelow ? bottom + GAP_PX : Math.max(GAP_PX, top - GAP_PX - height)}px`
    // Not `right`, which would include the space reserved for a scrollbar.
    style.left = `${Math.max(GAP_PX, right - width)}px`
    addEventListener('resize', () => popover.current?.hidePopover(), { once: true })
  }

  return (
    <div ref={button} className={clsx('flex', className)}>
      <IconButton label={label} icon={<Ellipsis />} popoverTarget={id} />
      <div
        ref={popover}
        id={id}
        popover="auto"
        role="presentation"
        className="popover-menu fixed right-auto min-w-48 rounded-lg border border-line bg-raised p-1.5 text-ink shadow-lg"
        onToggle={(event) => event.newState === 'open' && updatePosition()}
        onClick={() => popover.current?.hidePopover()}
      >
        {children}
      </div>
    </div>
  )
}
