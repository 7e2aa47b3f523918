import { clsx } from 'clsx'
import { CircleAlert } from 'lucide-react'
import { createContext, type ReactNode, use, useId } from 'react'

type Wiring = { id: string; 'aria-describedby'?: string; 'aria-invalid'?: true }

const FieldContext = createContext<Wiring | null>(null)

/** Returns the props that connect a control to the label, hint and error of its Field. */
export function useFieldWiring(): Partial<Wiring> {
  return use(FieldContext) ?? {}
}

type FieldProps = {
  label: string
  /** The label is for screen readers; a placeholder or heading shows what the field is. */
  quiet?: boolean
  hint?: ReactNode
  error?: string
  className?: string
  children: ReactNode
}

/** A label, one control, and a hint or error below it. */
export function Field({ label, quiet, hint, error, className, children }: FieldProps) {
  const id = useId()
  const hintId = hint ? `${id}-hint` : undefined
  const errorId = error ? `${id}-error` : undefined
  const describedBy = [hintId, errorId].filter(Boolean).join(' ') || undefined
  const wiring: Wiring = { id, 'aria-describedby': describedBy, 'aria-invalid': error ? true : undefined }
  return (
    <div className={clsx('flex flex-col gap-1.5', className)}>
      <label htmlFor={id} className={quiet ? 'sr-only' : 'text-sm font-semibold text-ink'}>
        {label}
      </label>
      <FieldContext value={wiring}>{children}</FieldContext>
      {hint && (
        <p id={hintId} className="text-sm text-muted">
          {hint}
        </p>
      )}
      <Problem id={errorId} text={error} />
    </div>
  )
}

/** An error message that screen readers announce. */
export function Problem({ id, text }: { id?: string; text: string | null | undefined }) {
  return (
    <p id={id} aria-live="polite" className="flex gap-1.5 text-sm text-danger empty:hidden">
      {text && (
        <>
          <CircleAlert className="mt-0.5 size-4 shrink-0" aria-hidden="true" />
          {text}
        </>
      )}
    </p>
  )
}
