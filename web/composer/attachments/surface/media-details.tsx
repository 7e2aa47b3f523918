import { ArrowLeft, ArrowRight, CodeXml, Trash2 } from 'lucide-react'
import { type RefObject, useEffect, useId, useLayoutEffect, useRef } from 'react'
import { Button, IconButton } from '#web/ui/controls/button.tsx'
import { GrowingText } from '#web/ui/controls/field.tsx'
import { useWrittenField } from './caption.tsx'
import type { ShownItem } from './media-blocks.ts'
import type { Position, Surface } from './surface.ts'

type MediaDetailsProps = {
  surface: Surface
  item: ShownItem
  name: string
  /** What it is, and its position. */
  label: string
  position: Position
  readOnly: boolean
  onMove: (to: number) => void
  onRemove: () => void
  onClose: () => void
}

/** The alternative text of a picture and what can be done with it, below it. */
export function MediaDetails(props: MediaDetailsProps) {
  const { surface, item, name, label, readOnly } = props
  const { words, caption } = item
  const hint = useId()
  const box = useRef<HTMLElement>(null)
  const field = useWrittenField(words, (next) => surface.describe(item, next, caption))

  useOpenBelow(box, surface)

  return (
    <section ref={box} aria-label={`About ${label}`} tabIndex={-1} className="surface-details">
      <div className="flex flex-col gap-1">
        <span className="font-semibold" aria-hidden="true">
          Alternative text
        </span>
        <GrowingText
          {...field}
          rows={2}
          aria-label={`Alternative text of ${name}`}
          aria-describedby={hint}
          placeholder="What is to be seen?"
          readOnly={readOnly}
          enterKeyHint="done"
          className="surface-alternative"
        />
      </div>
      <p id={hint} className="text-muted">
        For those who do not see it.
      </p>
      <Actions {...props} />
    </section>
  )
}

/** What can be done with the picture. */
function Actions({ surface, item, name, position, readOnly, onMove, onRemove, onClose }: MediaDetailsProps) {
  const { at, count } = position
  return (
    <div className="flex flex-wrap items-center gap-1">
      {!readOnly && count > 1 && (
        <>
          <IconButton
            size="sm"
            label="Move earlier"
            icon={<ArrowLeft className="rtl:-scale-x-100" />}
            disabled={at === 0}
            onClick={() => onMove(at - 1)}
          />
          <IconButton
            size="sm"
            label="Move later"
            icon={<ArrowRight className="rtl:-scale-x-100" />}
            disabled={at === count - 1}
            onClick={() => onMove(at + 1)}
          />
        </>
      )}
      <IconButton
        size="sm"
        label="Show the Markdown"
        icon={<CodeXml />}
        onClick={() => surface.showSource(item)}
      />
      {!readOnly && (
        <IconButton
          size="sm"
          danger
          label={`Remove ${name || 'file'}`}
          icon={<Trash2 />}
          onClick={onRemove}
        />
      )}
      <Button size="sm" className="ml-auto" onClick={onClose}>
        Done
      </Button>
    </div>
  )
}

/** Keeps the details below their picture, focuses them, and closes them when something else is pressed or focused. */
function useOpenBelow(box: RefObject<HTMLElement | null>, surface: Surface) {
  useLayoutEffect(() => {
    if (box.current) placeBelow(box.current)
  })

  useEffect(() => {
    const { current } = box
    const figure = current?.closest('figure')
    if (!current || !figure) return undefined
    const input = matchMedia('(pointer: fine)').matches ? current.querySelector('textarea') : null
    const first = input ?? current
    first.focus({ preventScroll: true })
    current.scrollIntoView({ block: 'nearest' })
    const ended = new AbortController()
    const closeElsewhere = (to: EventTarget | null) => {
      if (to instanceof Node && !figure.contains(to)) surface.close()
    }
    document.addEventListener('pointerdown', ({ target }) => closeElsewhere(target), { signal: ended.signal })
    figure.addEventListener('focusout', ({ relatedTarget }) => closeElsewhere(relatedTarget), {
      signal: ended.signal,
    })
    return () => ended.abort()
  }, [box, surface])
}

/** Places the details below their picture, within the width of the text. */
function placeBelow(box: HTMLElement): void {
  const figure = box.closest('figure')
  const group = figure?.parentElement
  if (!figure || !group) return
  const left = Math.max(0, Math.min(figure.offsetLeft, group.clientWidth - box.offsetWidth))
  box.style.left = `${left}px`
  const frame = figure.firstElementChild as HTMLElement
  box.style.top = `${figure.offsetTop + frame.offsetHeight + 6}px`
}
