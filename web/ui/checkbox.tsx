import { clsx } from 'clsx'
import type { ComponentProps, ReactNode } from 'react'

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
