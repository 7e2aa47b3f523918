import { clsx } from 'clsx'
import type { ReactNode } from 'react'
import { useRefusedFocus } from '#web/ui/controls/refused-focus.ts'
import { useFirstPress } from '#web/ui/controls/use-first-press.ts'

type DialogFormProps = {
  /** Whether the last submission has not ended; until then, further ones are ignored. */
  busy: boolean
  /** Ends with the submission, whose errors it shows itself. */
  onSubmit: () => unknown
  className?: string
  children: ReactNode
}

/** A form in a dialog, which keeps its values itself. Focuses the first refused field once a submission has ended. */
export function DialogForm({ busy, onSubmit, className, children }: DialogFormProps) {
  const { form, focusOnceRendered } = useRefusedFocus()

  const submit = useFirstPress(async () => {
    await onSubmit()
    focusOnceRendered()
  })

  return (
    <form
      ref={form}
      method="post"
      noValidate
      className={clsx('flex flex-1 flex-col', className)}
      onSubmit={(event) => {
        event.preventDefault()
        if (!busy) submit()
      }}
    >
      {children}
    </form>
  )
}
