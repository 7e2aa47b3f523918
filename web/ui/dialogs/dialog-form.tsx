import { clsx } from 'clsx'
import { type ReactNode, useEffect, useRef, useState } from 'react'
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
  const form = useRef<HTMLFormElement>(null)
  const [submissions, setSubmissions] = useState(0)

  useEffect(() => {
    if (submissions > 0) form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus()
  }, [submissions])

  const submit = useFirstPress(async () => {
    await onSubmit()
    setSubmissions((count) => count + 1)
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
