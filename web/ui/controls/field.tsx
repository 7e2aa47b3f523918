import { clsx } from 'clsx'
import { ChevronDown, CircleAlert } from 'lucide-react'
import {
  type ComponentProps,
  createContext,
  type ReactNode,
  use,
  useEffect,
  useId,
  useRef,
  useState,
} from 'react'
import { VisuallyHidden } from '#web/ui/layout/accessibility.tsx'

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

/** The class of every text control; 16 px on a phone, because iOS zooms into smaller ones. */
const controlClass = clsx(
  'w-full rounded-md border border-edge bg-raised px-3 text-base text-ink transition-colors sm:text-sm',
  'hover:border-ink focus-visible:border-focus focus-visible:outline-offset-0',
  'disabled:bg-sunken disabled:text-muted aria-invalid:border-danger',
)

/** A text input; inside a Field it is connected to that field's label. */
export function TextInput({ className, ...rest }: ComponentProps<'input'>) {
  return (
    <input
      type="text"
      {...useFieldWiring()}
      {...rest}
      className={clsx(controlClass, 'h-10 pointer-coarse:h-11', className)}
    />
  )
}

/** A password input with a button that shows or hides its value. */
export function PasswordInput({ className, ...rest }: Omit<ComponentProps<'input'>, 'type'>) {
  const [shown, setShown] = useState(false)
  return (
    <div className="relative">
      <TextInput
        {...rest}
        type={shown ? 'text' : 'password'}
        spellCheck={false}
        className={clsx('pr-16', className)}
      />
      <button
        type="button"
        className="absolute inset-y-1 right-1 rounded-sm px-2.5 text-sm font-medium text-muted hover:bg-hover hover:text-ink"
        onClick={() => setShown(!shown)}
      >
        {shown ? 'Hide' : 'Show'}
        <VisuallyHidden> password</VisuallyHidden>
      </button>
    </div>
  )
}

function fit(area: HTMLTextAreaElement) {
  area.style.height = 'auto'
  area.style.height = `${area.scrollHeight + 2}px`
}

/** A text area without a look of its own, which grows with its content up to the max-height of its class. */
export function GrowingText({ className, ref, onInput, ...rest }: ComponentProps<'textarea'>) {
  const area = useRef<HTMLTextAreaElement>(null)
  const grows = useRef(true)

  useEffect(() => {
    grows.current = !CSS.supports('field-sizing', 'content')
    if (grows.current && area.current) fit(area.current)
  }, [])

  return (
    <textarea
      {...useFieldWiring()}
      {...rest}
      ref={(element) => {
        area.current = element
        if (typeof ref === 'function') return ref(element)
        if (ref) ref.current = element
      }}
      className={clsx('field-sizing-content', className)}
      onInput={(event) => {
        if (grows.current) fit(event.currentTarget)
        onInput?.(event)
      }}
    />
  )
}

/** A text area that grows with its content up to the max-height of its class. */
export function TextArea({ className, ...rest }: ComponentProps<'textarea'>) {
  return (
    <GrowingText
      rows={3}
      {...rest}
      className={clsx(controlClass, 'min-h-20 resize-y py-2 leading-6', className)}
    />
  )
}

type SelectProps<Value extends string> = Omit<ComponentProps<'select'>, 'children' | 'size'> & {
  options: readonly { value: Value; label: string }[]
  compact?: boolean
}

/** A native select. */
export function Select<Value extends string>({ options, compact, className, ...rest }: SelectProps<Value>) {
  return (
    <span className={clsx('relative inline-flex', className)}>
      <select
        {...useFieldWiring()}
        {...rest}
        className={clsx(controlClass, 'appearance-none pr-9 pointer-coarse:h-11', compact ? 'h-8' : 'h-10')}
      >
        {options.map(({ value, label }) => (
          <option key={value} value={value}>
            {label}
          </option>
        ))}
      </select>
      <ChevronDown
        className="pointer-events-none absolute top-1/2 right-3 size-4 -translate-y-1/2 text-muted"
        aria-hidden="true"
      />
    </span>
  )
}

type CheckboxProps = Omit<ComponentProps<'input'>, 'type' | 'children'> & {
  label: ReactNode
  hint?: ReactNode
}

/** A checkbox with a label and an optional hint. */
export function Checkbox({ label, hint, className, ...rest }: CheckboxProps) {
  return (
    <div className={clsx('text-sm', className)}>
      <label className="inline-flex cursor-pointer items-start gap-2.5 py-1 has-disabled:cursor-default has-disabled:text-muted">
        <input type="checkbox" {...rest} className="checkbox mt-0.5" />
        <span>{label}</span>
      </label>
      {hint && <p className="pl-6.5 text-muted">{hint}</p>}
    </div>
  )
}
