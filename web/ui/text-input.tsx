import { clsx } from 'clsx'
import { type ComponentProps, useState } from 'react'
import { useFieldWiring } from './field.tsx'
import { VisuallyHidden } from './visually-hidden.tsx'

/** The class of every text control; 16 px on a phone, because iOS zooms into smaller ones. */
export const controlClass = clsx(
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
