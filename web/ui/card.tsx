import { clsx } from 'clsx'
import type { ComponentProps } from 'react'

/** A bordered, raised box. */
export function Card({ className, ...rest }: ComponentProps<'article'>) {
  return (
    <article {...rest} className={clsx('rounded-lg border border-line bg-raised shadow-sm', className)} />
  )
}
