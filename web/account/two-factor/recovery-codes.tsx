import { Download, Printer } from 'lucide-react'
import { Button } from '#web/ui/controls/button.tsx'
import { CopyButton } from '#web/ui/controls/copy-button.tsx'
import { DialogBody, DialogFooter } from '#web/ui/dialogs/dialog.tsx'
import './recovery-codes.css'

type RecoveryCodesProps = { codes: string[]; email: string; onClose: () => void }

/** Shows recovery codes once, because only their hashes are stored. */
export function RecoveryCodes({ codes, email, onClose }: RecoveryCodesProps) {
  const text = codes.join('\n')
  return (
    <>
      <DialogBody>
        <p className="text-muted print:hidden">
          Store these codes now, apart from your phone: they are shown only this once. If you lose your
          authenticator app, each of them signs you in once in its place.
        </p>
        <p className="hidden print:block">
          Recovery codes for Milepost ({window.location.host}), {email}. Each works once.
        </p>
        <ul
          data-prints-alone=""
          aria-label="Recovery codes"
          className="grid grid-cols-2 gap-x-6 gap-y-2 rounded-md border border-line bg-sunken px-5 py-4 text-center font-mono"
        >
          {codes.map((code) => (
            <li key={code}>{code}</li>
          ))}
        </ul>
        <div className="flex flex-wrap gap-2.5 print:hidden">
          <CopyButton text={text} label="Copy codes" size="md" />
          <Button icon={<Download />} onClick={() => download(`Milepost, ${email}\n\n${text}\n`)}>
            Download
          </Button>
          <Button icon={<Printer />} onClick={() => window.print()}>
            Print
          </Button>
        </div>
      </DialogBody>
      <DialogFooter>
        <Button variant="primary" onClick={onClose}>
          I have stored them
        </Button>
      </DialogFooter>
    </>
  )
}

function download(text: string): void {
  const url = URL.createObjectURL(new Blob([text], { type: 'text/plain' }))
  const link = document.createElement('a')
  link.href = url
  link.download = 'milepost-recovery-codes.txt'
  link.click()
  URL.revokeObjectURL(url)
}
