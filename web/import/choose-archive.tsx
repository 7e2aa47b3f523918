import { Upload } from 'lucide-react'
import { type DragEvent, useId, useRef, useState } from 'react'
import { Button } from '#web/ui/controls/button.tsx'
import { ProgressBar } from '#web/ui/feedback/progress-bar.tsx'

type ChooseArchiveProps = { share: number | null; busy: boolean; onChoose: (file: File) => void }

const KINDS = '.zip,.textpack,.bear2bk,.md,.markdown,.txt,.html,.htm,.json,.xml,.rss,.atom'

/** Takes a file by a button or dropped, and shows how much of it has arrived. */
export function ChooseArchive({ share, busy, onChoose }: ChooseArchiveProps) {
  const input = useRef<HTMLInputElement>(null)
  const hint = useId()
  const [isOver, setOver] = useState(false)

  function drop(event: DragEvent) {
    event.preventDefault()
    setOver(false)
    const file = event.dataTransfer.files[0]
    if (file && !busy) onChoose(file)
  }

  if (share !== null) {
    const percent = Math.floor(share * 100)
    return (
      <div className="rounded-lg border border-line bg-raised p-6 shadow-sm">
        <p className="font-medium">Sending the file</p>
        <ProgressBar className="mt-3" label="Sent" value={percent} />
        <p className="mt-3 text-sm text-muted">
          Keep this page open. If the connection breaks, choose the same file again: it goes on where it was.
        </p>
      </div>
    )
  }
  return (
    <div
      onDragOver={(event) => {
        event.preventDefault()
        setOver(true)
      }}
      onDragLeave={() => setOver(false)}
      onDrop={drop}
      className={`flex flex-col items-center rounded-lg border border-dashed px-5 py-10 text-center ${isOver ? 'border-accent bg-accent-soft' : 'border-edge bg-raised'}`}
    >
      <input
        ref={input}
        type="file"
        accept={KINDS}
        className="sr-only"
        tabIndex={-1}
        aria-label="File to import"
        onChange={({ target }) => {
          const file = target.files?.[0]
          target.value = ''
          if (file) onChoose(file)
        }}
      />
      <Button
        variant="primary"
        icon={<Upload />}
        busy={busy}
        aria-describedby={hint}
        onClick={() => input.current?.click()}
      >
        Choose a file
      </Button>
      <p id={hint} className="mt-4 max-w-md text-sm text-balance text-muted">
        Exports of Day One, Ghost, Google Keep, Journiv, Memos, Milepost, Notion and WordPress; a ZIP of
        Markdown or HTML files with their pictures, such as a vault of Obsidian or the content of a Hugo or
        Jekyll site; feeds, and releases on GitHub.{' '}
        <span className="pointer-coarse:hidden">Or drop it here.</span>
      </p>
    </div>
  )
}
