import { useEffect, useId, useRef } from 'react'
import { Button } from '#web/ui/button.tsx'
import { useHistoryLayer } from '#web/ui/use-history-layer.ts'

type RemovalQuestionProps = { detail?: string; onCancel: () => void; onConfirm: () => void }

/** Asks, in the row and not in another dialog, before somebody is removed. */
export function RemovalQuestion({ detail, onCancel, onConfirm }: RemovalQuestionProps) {
  const id = useId()
  const box = useRef<HTMLDivElement>(null)
  const cancel = useRef<HTMLButtonElement>(null)
  useHistoryLayer(true, () => {
    onCancel()
    return true
  })

  useEffect(() => {
    const opener = document.activeElement
    cancel.current?.focus({ preventScroll: true })
    box.current?.scrollIntoView({ block: 'nearest' })
    return () => {
      if (opener instanceof HTMLElement && opener.isConnected) opener.focus({ preventScroll: true })
    }
  }, [])

  return (
    <div
      ref={box}
      role="alertdialog"
      aria-labelledby={`${id}-question`}
      {...(detail !== undefined && { 'aria-describedby': `${id}-detail` })}
      className="flex flex-wrap items-center justify-between gap-3 rounded-md bg-danger-soft px-3.5 py-3 text-sm"
    >
      <div>
        <p id={`${id}-question`} className="font-semibold">
          Are you sure you want to remove this collaborator?
        </p>
        {detail !== undefined && <p id={`${id}-detail`}>{detail}</p>}
      </div>
      <div className="ml-auto flex gap-2.5">
        <Button ref={cancel} size="sm" onClick={onCancel}>
          Cancel
        </Button>
        <Button size="sm" variant="danger" onClick={onConfirm}>
          Remove
        </Button>
      </div>
    </div>
  )
}
