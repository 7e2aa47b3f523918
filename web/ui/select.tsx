import { clsx } from 'clsx'
import { ChevronDown } from 'lucide-react'
import type { ComponentProps } from 'react'
import { useFieldWiring } from './field.tsx'
import { controlClass } from './text-input.tsx'

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
