import { clsx } from 'clsx'
import { useEffect, useRef, useState } from 'react'

/** Plain text, clamped to four lines until it is expanded. */
export function ClampedText({ text }: { text: string }) {
  const box = useRef<HTMLSpanElement>(null)
  const [overflows, setOverflows] = useState(false)
  const [open, setOpen] = useState(false)

  useEffect(() => {
    const element = box.current
    if (!element || open) return undefined
    const observer = new ResizeObserver(() => setOverflows(element.scrollHeight > element.clientHeight + 1))
    observer.observe(element)
    return () => observer.disconnect()
  }, [open])

  return (
    <>
      <span
        ref={box}
        dir="auto"
        className={clsx('whitespace-pre-line text-balance wrap-anywhere', open ? 'block' : 'line-clamp-4')}
      >
        {text}
      </span>
      {overflows && (
        <button
          type="button"
          aria-expanded={open}
          className="mt-1 rounded-sm text-sm font-semibold text-accent hover:text-accent-strong pointer-coarse:min-h-11"
          onClick={() => setOpen(!open)}
        >
          {open ? 'Show less' : 'Show more'}
        </button>
      )}
    </>
  )
}
