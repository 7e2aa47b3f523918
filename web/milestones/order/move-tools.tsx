import { ArrowDown, ArrowUp } from 'lucide-react'
import { Button, IconButton } from '#web/ui/controls/button.tsx'
import type { useOrder } from './use-order.ts'

type MoveToolsProps = { order: ReturnType<typeof useOrder>; onMoveTo: () => void }

/** The buttons of a milestone that is being moved, for those who neither drag nor have arrow keys. */
export function MoveTools({ order, onMoveTo }: MoveToolsProps) {
  const { moving, moveTo, cancel, drop } = order
  if (!moving) return null

  function choose() {
    cancel()
    onMoveTo()
  }

  return (
    <div className="relative z-10 mt-3 flex flex-wrap items-center gap-1">
      <IconButton label="Up" icon={<ArrowUp />} size="sm" onClick={() => moveTo(moving.index - 1)} />
      <IconButton label="Down" icon={<ArrowDown />} size="sm" onClick={() => moveTo(moving.index + 1)} />
      <Button size="sm" variant="quiet" className="px-2!" onClick={choose}>
        Move to…
      </Button>
      <Button size="sm" variant="primary" className="ml-auto" onClick={drop}>
        Done
      </Button>
    </div>
  )
}
