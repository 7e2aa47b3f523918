import { Banner } from '#web/ui/banner.tsx'
import { Button } from '#web/ui/button.tsx'
import { CopyButton } from '#web/ui/copy-button.tsx'
import { EntryTextView } from './conflict-dialog.tsx'
import type { SetAside, useEntryForm } from './use-entry-form.ts'

type EntryFormBannersProps = {
  entry: ReturnType<typeof useEntryForm>
  isNew: boolean
  onDiscardDraft: () => void
}

/** The banners above the form: a restored draft, a failed save, the version set aside in a conflict. */
export function EntryFormBanners({
  entry: { restored, fault, setAside },
  isNew,
  onDiscardDraft,
}: EntryFormBannersProps) {
  return (
    <>
      {restored && !fault && (
        <Banner tone="info">
          <span className="flex flex-wrap items-center gap-x-3 gap-y-1.5">
            {isNew ? 'Your draft is back.' : 'The changes that you had not saved are back.'}
            <Button size="sm" onClick={onDiscardDraft}>
              {isNew ? 'Start afresh' : 'Drop them'}
            </Button>
          </span>
        </Banner>
      )}
      {fault && (
        <Banner>
          <p>{fault.message}</p>
          {fault.code !== 'invalid' && <p>What you wrote is still here.</p>}
        </Banner>
      )}
      {setAside && <Aside setAside={setAside} />}
    </>
  )
}

function Aside({ setAside: { whose, text } }: { setAside: SetAside }) {
  return (
    <details className="rounded-md border border-line bg-sunken px-3.5 py-2.5 text-sm">
      <summary className="font-semibold">
        {whose === 'mine' ? 'Your text, put aside' : 'The other text, put aside'}
      </summary>
      <CopyButton text={text.content} label="Copy content" className="my-3" />
      <EntryTextView text={text} />
    </details>
  )
}
