import { CopyButton } from '#web/ui/controls/copy-button.tsx'

/** The address of a link, which is shown only once. */
export type ShownAddress = { linkId: string; name: string; url: string }

/** Shows the address of a new link, or the new one of a link, to copy it. */
export function Address({ name, url }: ShownAddress) {
  return (
    <output
      ref={(box) => box?.scrollIntoView({ block: 'nearest' })}
      className="flex animate-fade flex-col gap-2.5 rounded-lg border border-accent/40 bg-accent-soft/35 p-4 text-sm"
    >
      <p>
        <span className="font-semibold">
          The link for <bdi>{name}</bdi> is ready.
        </span>{' '}
        Copy it now: its address is shown only this once. A lost one is replaced with “New address”.
      </p>
      <div className="flex flex-wrap items-center gap-2.5">
        <code className="min-w-0 flex-1 basis-48 truncate rounded-md border border-line bg-raised px-3 py-2 font-mono text-xs">
          {url}
        </code>
        <CopyButton text={url} label="Copy private link" variant="primary" className="max-sm:w-full" />
      </div>
    </output>
  )
}
