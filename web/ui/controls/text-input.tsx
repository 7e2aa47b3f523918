import { clsx } from 'clsx'
import { type ComponentProps, createContext, use } from 'react'

export type FieldAriaProps = { id: string; 'aria-describedby'?: string; 'aria-invalid'?: true }

export const FieldContext = createContext<FieldAriaProps | null>(null)

/** Returns the props that connect a control to the label, hint and error of its Field. */
export function useFieldAriaProps(): Partial<FieldAriaProps> {
  return use(FieldContext) ?? {}
}

/** The class of every text control; 16 px on a phone, because iOS zooms into smaller ones. */
export const controlClass = clsx(
  'w-full rounded-md border border-edge bg-raised px-3 text-base text-ink transition-colors sm:text-sm',
  'hover:border-ink focus-visible:border-focus focus-visible:outline-offset-0',
  'disabled:bg-sunken disabled:text-muted aria-invalid:border-danger',
)

/** Added to the class of a control whose frame is visible only on hover and focus. */
export const quietControlClass =
  'border-transparent! bg-transparent! text-muted hover:bg-hover! hover:text-ink focus-visible:bg-raised! focus-visible:text-ink'

/** A text input with the direction of its text; inside a Field it is connected to that field's label. */
export function TextInput({ className, ...rest }: ComponentProps<'input'>) {
  return (
    <input
      type="text"
      dir="auto"
      {...useFieldAriaProps()}
      {...rest}
      className={clsx(controlClass, 'h-10 pointer-coarse:h-11', className)}
    />
  )
}
