import { clsx } from 'clsx'
import { type ComponentProps, useEffect, useRef } from 'react'
import { useFieldWiring } from './field.tsx'
import { controlClass } from './text-input.tsx'

function fit(area: HTMLTextAreaElement) {
  area.style.height = 'auto'
  area.style.height = `${area.scrollHeight + 2}px`
}

/** A text area that grows with its content up to the max-height of its class. */
export function TextArea({ className, ref, onInput, ...rest }: ComponentProps<'textarea'>) {
  const area = useRef<HTMLTextAreaElement>(null)
  const grows = useRef(true)

  useEffect(() => {
    grows.current = !CSS.supports('field-sizing', 'content')
    if (grows.current && area.current) fit(area.current)
  }, [])

  return (
    <textarea
      rows={3}
      {...useFieldWiring()}
      {...rest}
      ref={(element) => {
        area.current = element
        if (typeof ref === 'function') return ref(element)
        if (ref) ref.current = element
      }}
      className={clsx(controlClass, 'field-sizing-content min-h-20 resize-y py-2 leading-6', className)}
      onInput={(event) => {
        if (grows.current) fit(event.currentTarget)
        onInput?.(event)
      }}
    />
  )
}
