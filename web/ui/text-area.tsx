import { clsx } from 'clsx'
import { type ComponentProps, useEffect, useRef } from 'react'
import { useFieldWiring } from './field.tsx'
import { controlClass } from './text-input.tsx'

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
