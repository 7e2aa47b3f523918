import { useQuery } from '@tanstack/react-query'
import { Fingerprint } from 'lucide-react'
import { useState } from 'react'
import type { IdentityOptions } from '#contract/identity.ts'
import { PASSKEYS_MAX, type Passkey } from '#contract/passkeys.ts'
import { useServerOptions } from '#web/api/server-options.ts'
import { Button } from '#web/ui/controls/button.tsx'
import { ConfirmButton } from '#web/ui/dialogs/confirm-button.tsx'
import { dialogOnDemand } from '#web/ui/dialogs/on-demand.tsx'
import { FetchFailed } from '#web/ui/feedback/empty-state.tsx'
import { Skeleton } from '#web/ui/feedback/loading.tsx'
import { VisuallyHidden } from '#web/ui/layout/accessibility.tsx'
import { Badge } from '#web/ui/layout/badge.tsx'
import { RelativeTime, Time, useNow } from '#web/ui/layout/time.tsx'
import { passkeysQuery, useRemovePasskey } from './queries.ts'

const AddDialog = dialogOnDemand(async () => (await import('./add-dialog.tsx')).AddDialog)
const RenameDialog = dialogOnDemand(async () => (await import('./rename-dialog.tsx')).RenameDialog)

/** The passkeys of the account: adds, renames and removes them. If this server has none, explains why. */
export function Passkeys() {
  const options = useServerOptions()?.identity
  if (options && !options.passkeys) return <p className="text-muted">{reasonAgainst(options)}</p>
  return <PasskeyList />
}

function reasonAgainst({ provider, issuerOnly, issuerName = 'Google' }: IdentityOptions): string {
  if (provider === 'firebase')
    return 'This server signs people in with Firebase, and has no passkeys of its own.'
  return issuerOnly
    ? `This server has no passkeys: you sign in with ${issuerName}.`
    : 'Passkeys need https and a host name, and this server is reached without them.'
}

function PasskeyList() {
  const { data, isError, isFetching, refetch } = useQuery({ ...passkeysQuery, refetchOnMount: 'always' })
  const [isAdding, setAdding] = useState(false)
  // Here rather than in its row, so that the typed name and the refusal stay visible if another tab has removed the passkey.
  const [renaming, setRenaming] = useState<Passkey | null>(null)
  return (
    <>
      <p className="text-muted">
        A passkey signs you in with your fingerprint, your face or the lock of your device, instead of a
        password. It remains when you change your password, and is removed when the password is reset.
      </p>
      {data && data.length > 0 && (
        <ul
          tabIndex={-1}
          aria-label="Passkeys"
          className="mt-4 divide-y divide-line border-y border-line outline-none"
        >
          {data.map((passkey) => (
            <PasskeyRow key={passkey._id} passkey={passkey} onRename={() => setRenaming(passkey)} />
          ))}
        </ul>
      )}
      {!data && (isError ? <Failed busy={isFetching} onRetry={() => void refetch()} /> : <Loading />)}
      <Button
        className="mt-5"
        // The loaded list moves this button, so a press in that moment would be lost.
        disabled={data ? data.length >= PASSKEYS_MAX : !isError}
        {...AddDialog.preloadProps}
        onClick={() => setAdding(true)}
      >
        Add a passkey
      </Button>
      {isAdding && <AddDialog onClose={() => setAdding(false)} />}
      {renaming && <RenameDialog passkey={renaming} onClose={() => setRenaming(null)} />}
    </>
  )
}

function Failed(props: { busy: boolean; onRetry: () => void }) {
  return <FetchFailed title="Your passkeys could not be fetched" {...props} />
}

function Loading() {
  return (
    <output className="mt-4 block">
      <VisuallyHidden>Loading your passkeys</VisuallyHidden>
      <Skeleton className="h-16 rounded-md" />
    </output>
  )
}

function PasskeyRow({ passkey, onRename }: { passkey: Passkey; onRename: () => void }) {
  const { name, createdAt, lastUsedAt, formerDomain } = passkey
  const remove = useRemovePasskey(passkey)
  const now = useNow()
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-2 py-4">
      <Fingerprint className="size-5 shrink-0 text-muted" aria-hidden="true" />
      <div className="min-w-0 flex-1 basis-48">
        <p className="flex flex-wrap items-center gap-x-2.5 gap-y-1 font-medium">
          <bdi className="min-w-0 break-words">{name}</bdi>
          {formerDomain !== undefined && <Badge tone="warning">Not usable here</Badge>}
        </p>
        {formerDomain !== undefined && (
          <p className="text-sm break-words text-muted">
            It was made for {formerDomain}, the former address of this server.
          </p>
        )}
        <p className="flex flex-wrap gap-x-3 text-sm text-muted">
          <span>
            {lastUsedAt === null ? (
              'Never used'
            ) : (
              <>
                Last used: <RelativeTime at={lastUsedAt} now={now} className="" />
              </>
            )}
          </span>
          <span>
            Added: <Time iso={createdAt} />
          </span>
        </p>
      </div>
      <div className="flex max-w-full flex-wrap gap-2">
        <Button size="sm" aria-label={`Rename ${name}`} {...RenameDialog.preloadProps} onClick={onRename}>
          Rename
        </Button>
        <ConfirmButton
          size="sm"
          aria-label={`Remove ${name}`}
          busy={remove.isPending}
          question={`Remove ${name}?`}
          detail="Nobody can sign in with it any more. Remove it from your device too, which keeps offering it. Sessions that it opened stay: end them under Sessions."
          verb="Remove"
          onConfirm={() => remove.mutate()}
        />
      </div>
    </li>
  )
}
