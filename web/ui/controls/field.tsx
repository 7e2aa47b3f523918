import { clsx } from 'clsx'
import { ChevronDown, CircleAlert } from 'lucide-react'
import { type ComponentProps, type ReactNode, useEffect, useId, useRef, useState } from 'react'
import { VisuallyHidden } from '#web/ui/layout/accessibility.tsx'
import {
  controlClass,
  type FieldAriaProps,
  FieldContext,
  quietControlClass,
  TextInput,
  useFieldAriaProps,
} from './text-input.tsx'

type FieldProps = {
  label: string
  /** The label is only for screen readers; a placeholder or heading identifies the field visually. */
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
  const ariaProps: FieldAriaProps = {
    id,
    'aria-describedby': describedBy,
    'aria-invalid': error ? true : undefined,
  }
  return (
    <div className={clsx('flex flex-col gap-1.5', className)}>
      <label htmlFor={id} className={quiet ? 'sr-only' : 'text-sm font-semibold text-ink'}>
        {label}
      </label>
      <FieldContext value={ariaProps}>{children}</FieldContext>
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

/** An input for an email address, which phones neither capitalize nor correct. */
export function EmailInput(props: Omit<ComponentProps<'input'>, 'type'>) {
  return <TextInput type="email" autoCapitalize="none" spellCheck={false} {...props} />
}

type EmailFieldProps = ComponentProps<typeof EmailInput> & { invalid: boolean }

/** The email address of an account, in a form that shows its errors in a banner. */
export function EmailField({ invalid, ...rest }: EmailFieldProps) {
  return (
    <Field label="Email">
      <EmailInput aria-invalid={invalid ? true : undefined} {...rest} />
    </Field>
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
        className="absolute inset-y-1 right-1 rounded-sm px-2.5 pointer-coarse:inset-y-0.5 text-sm font-medium text-muted hover:bg-hover hover:text-ink"
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

/** An unstyled text area with the direction of its text. It grows with its content up to the max-height of its class. */
export function GrowingText({ className, ref, onInput, ...rest }: ComponentProps<'textarea'>) {
  const area = useRef<HTMLTextAreaElement>(null)
  const grows = useRef(true)

  useEffect(() => {
    grows.current = !CSS.supports('field-sizing', 'content')
    if (grows.current && area.current) fit(area.current)
  }, [])

  return (
    <textarea
      dir="auto"
      {...useFieldAriaProps()}
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
  /** Without a visible frame. */
  quiet?: boolean
}

/** A native select. */
export function Select<Value extends string>(props: SelectProps<Value>) {
  const { options, compact, quiet, className, ...rest } = props
  return (
    <span className={clsx('relative inline-flex max-w-full', className)}>
      <select
        {...useFieldAriaProps()}
        {...rest}
        className={clsx(
          controlClass,
          'min-w-0 appearance-none truncate pr-9 pointer-coarse:h-11',
          compact ? 'h-8' : 'h-10',
          quiet && [quietControlClass, 'pr-7! pl-2!'],
        )}
      >
        {options.map(({ value, label }) => (
          <option key={value} value={value}>
            {label}
          </option>
        ))}
      </select>
      <ChevronDown
        className={clsx(
          'pointer-events-none absolute top-1/2 size-4 -translate-y-1/2 text-muted',
          quiet ? 'right-1.5' : 'right-3',
        )}
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
      <label className="inline-flex cursor-pointer items-start gap-2.5 py-1 has-disabled:cursor-default has-disabled:text-muted pointer-coarse:py-2.5">
        <input type="checkbox" {...rest} className="checkbox mt-0.5" />
        <span>{label}</span>
      </label>
      {hint && <p className="pl-6.5 text-muted pointer-coarse:-mt-1.5">{hint}</p>}
    </div>
  )
}
