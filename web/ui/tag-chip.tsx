import { X } from 'lucide-react'

/** A tag; with `onRemove`, a button removes it. */
export function TagChip({ tag, onRemove }: { tag: string; onRemove?: () => void }) {
  return (
    <span className="inline-flex max-w-full items-center rounded-full border border-line bg-surface text-xs text-muted">
      <span dir="auto" className="truncate px-2.5 py-0.5">
        {tag}
      </span>
      {onRemove && (
        <button
          type="button"
          aria-label={`Remove tag ${tag}`}
          className="-ml-1.5 grid size-6 place-items-center rounded-full hover:bg-hover hover:text-ink pointer-coarse:size-9"
          onClick={onRemove}
        >
          <X className="size-3.5" aria-hidden="true" />
        </button>
      )}
    </span>
  )
}
