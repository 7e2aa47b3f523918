import { useState } from 'react'
import { type ExportFormat, type ExportScope, FORMATS_OF, scopeKind } from '#contract/export.ts'
import { request } from '#web/api/client.ts'
import { toastError } from '#web/api/failure-toast.ts'
import { useChange } from '#web/saving/use-change.ts'
import { Button } from '#web/ui/controls/button.tsx'
import { Checkbox, Field, Select } from '#web/ui/controls/field.tsx'
import { TextInput } from '#web/ui/controls/text-input.tsx'
import { Dialog, DialogBody, DialogFooter } from '#web/ui/dialogs/dialog.tsx'
import { saveAs } from './save.ts'
import { WithHistory } from './with-history.tsx'

const NAMES: Record<ExportFormat, string> = {
  archive: 'Archive (ZIP)',
  md: 'Markdown',
  epub: 'E-book (EPUB)',
  site: 'Website (ZIP)',
}

const HINTS: Record<ExportFormat, string> = {
  archive: 'All that you may read, as Markdown with its pictures and files. Any Milepost can import it.',
  md: 'Text with a few lines of facts at its head, and its pictures and files beside it.',
  epub: 'What is published, for e-readers: milestones are parts, entries are chapters.',
  site: 'The pages of what is published as files. They open without a server and need no scripts.',
}

type ExportDialogProps = { scope: ExportScope; title: string; onClose: () => void }

/** Downloads an entry, a project or everything in a chosen format. */
export function ExportDialog({ scope, title, onClose }: ExportDialogProps) {
  const formats = FORMATS_OF[scopeKind(scope)]
  const [format, setFormat] = useState<ExportFormat>(formats[0])
  const [address, setAddress] = useState('')
  const [search, setSearch] = useState(false)
  const [history, setHistory] = useState(false)
  const site = format === 'site' && { search, ...(address.trim() !== '' && { base: address }) }
  const { mutate, isPending } = useChange({
    mutationKey: ['export'],
    mutationFn: () =>
      request('prepareExport', {
        body: { scope, format, ...site, ...(format === 'archive' && { history }) },
      }),
    onSuccess: ({ url }) => {
      saveAs(url)
      onClose()
    },
    onError: (error) => toastError(error, 'Failed to prepare the download'),
    gcTime: 0,
  })

  return (
    <Dialog open onOpenChange={(open) => !open && onClose()} title="Export">
      <DialogBody>
        <h3 className="font-reading text-lg font-medium" dir="auto">
          {title}
        </h3>
        <Field label="Format" hint={HINTS[format]}>
          <Select
            value={format}
            options={formats.map((value) => ({ value, label: NAMES[value] }))}
            onChange={({ target }) => setFormat(target.value as ExportFormat)}
          />
        </Field>
        {format === 'archive' && <WithHistory checked={history} onChange={setHistory} />}
        {format === 'site' && (
          <>
            <Field label="Address of the website (optional)" hint="With it, the site has feeds.">
              <TextInput
                type="url"
                inputMode="url"
                placeholder="https://"
                value={address}
                onChange={({ target }) => setAddress(target.value)}
              />
            </Field>
            <Checkbox
              label="With a search"
              hint="One page of the site then has a script."
              checked={search}
              onChange={({ target }) => setSearch(target.checked)}
            />
          </>
        )}
      </DialogBody>
      <DialogFooter>
        <Button onClick={onClose}>Cancel</Button>
        <Button variant="primary" busy={isPending} onClick={() => mutate()}>
          Download
        </Button>
      </DialogFooter>
    </Dialog>
  )
}
