import { Button } from '#web/ui/controls/button.tsx'
import { CopyButton } from '#web/ui/controls/copy-button.tsx'
import { Banner } from '#web/ui/feedback/banner.tsx'
import { EntryTextView } from './conflict-dialog.tsx'
import type { SetAside, useEntryForm } from './use-entry-form.ts'

type EntryFormBannersProps = {
  entry: ReturnType<typeof useEntryForm>
  isNew: boolean
  onDiscardDraft: () => void
}

/** The banners above the form: a restored draft, a failed save, the version set aside in a conflict. */
export function EntryFormBanners({
  entry: { restored, saveError, setAside },
  isNew,
  onDiscardDraft,
}: EntryFormBannersProps) {
  return (
    <>
      {restored && !saveError && (
        <Banner tone="info">
          <span className="flex flex-wrap items-center gap-x-3 gap-y-1.5">
            {isNew ? 'Your draft is back.' : 'The changes that you had not saved are back.'}
            <Button size="sm" onClick={onDiscardDraft}>
              {isNew ? 'Start afresh' : 'Drop them'}
            </Button>
          </span>
        </Banner>
      )}
      {saveError && (
        <Banner>
          <p>{saveError.message}</p>
          {saveError.code !== 'invalid' && <p>What you wrote is still here.</p>}
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
