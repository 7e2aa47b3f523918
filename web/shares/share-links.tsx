import { useQuery } from '@tanstack/react-query'
import { LinkIcon, LockKeyhole, Plus } from 'lucide-react'
import { useState } from 'react'
import { LINKS_MAX, type ShareLink, type ShareLinkFields } from '#contract/shares.ts'
import { Button } from '#web/ui/controls/button.tsx'
import { ConfirmButton } from '#web/ui/dialogs/confirm-button.tsx'
import { FetchFailed } from '#web/ui/feedback/empty-state.tsx'
import { Skeleton } from '#web/ui/feedback/loading.tsx'
import { Badge } from '#web/ui/layout/badge.tsx'
import { PlannedDay, Time, useNow } from '#web/ui/layout/time.tsx'
import { Circle } from './circle.tsx'
import { LinkForm } from './link-form.tsx'
import {
  shareLinksQuery,
  useCreateShareLink,
  useRenewShareLink,
  useRevokeShareLink,
  useUpdateShareLink,
} from './queries.ts'
import { RenewButton } from './renew-button.tsx'
import { Address, type ShownAddress } from './shown-address.tsx'

/** The parts of the share dialog with the private links of a project and its circle, for those who may publish it. */
export function ShareLinks({ projectId }: { projectId: string }) {
  return (
    <>
      <LinksOfAnybody projectId={projectId} />
      <Circle projectId={projectId} />
    </>
  )
}

const ofAnybody = (links: ShareLink[] = []) => links.filter(({ person }) => person === null)

function LinksOfAnybody({ projectId }: { projectId: string }) {
  const [isCreating, setCreating] = useState(false)
  const [address, setAddress] = useState<ShownAddress>()
  const { data: links } = useQuery({ ...shareLinksQuery(projectId), refetchOnMount: 'always' })
  const creation = useCreateShareLink(projectId)

  async function create(fields: ShareLinkFields) {
    const { link, url } = await creation.mutateAsync(fields)
    setCreating(false)
    if (url !== undefined) setAddress({ linkId: link._id, name: link.name, url })
  }

  return (
    <section aria-labelledby="private-links" className="border-t border-line pt-5">
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <h3 id="private-links" className="text-sm font-semibold">
          Private links
        </h3>
        {!isCreating && (
          <Button
            size="sm"
            icon={<Plus />}
            disabled={ofAnybody(links).length >= LINKS_MAX}
            onClick={() => {
              setAddress(undefined)
              setCreating(true)
            }}
          >
            New private link
          </Button>
        )}
      </div>
      <p className="mt-1 text-sm text-muted">
        For family, friends or a club: whoever has such a link can read, without an account, and the project
        stays as private as it is. Drafts stay yours alone.
      </p>
      <div className="mt-3 flex flex-col gap-3 empty:hidden">
        {isCreating && (
          <LinkForm
            projectId={projectId}
            busy={creation.isPending}
            onSubmit={create}
            onCancel={() => setCreating(false)}
          />
        )}
        {address && <Address key={address.url} {...address} />}
        <LinkList projectId={projectId} onAddress={setAddress} />
      </div>
    </section>
  )
}

type LinkListProps = { projectId: string; onAddress: (shown: ShownAddress | undefined) => void }

function LinkList({ projectId, onAddress }: LinkListProps) {
  const { data, isError, isFetching, refetch } = useQuery(shareLinksQuery(projectId))
  if (!data && isError)
    return (
      <FetchFailed title="The links could not be fetched" busy={isFetching} onRetry={() => void refetch()} />
    )
  if (!data) return <Skeleton className="h-14" />
  const links = ofAnybody(data)
  if (links.length === 0) return null
  return (
    <ul aria-label="Private links" className="divide-y divide-line border-t border-line">
      {links.map((link) => (
        <LinkRow key={link._id} projectId={projectId} link={link} onAddress={onAddress} />
      ))}
    </ul>
  )
}

type LinkRowProps = LinkListProps & { link: ShareLink }

/** A link with what it shows, its end and its last use, and what can be done with it. */
function LinkRow({ projectId, link, onAddress }: LinkRowProps) {
  const [isChanging, setChanging] = useState(false)
  const update = useUpdateShareLink(projectId)
  // They outlive the buttons: a new address is shown once.
  const renewal = useRenewShareLink(projectId, link)
  const removal = useRevokeShareLink(projectId, link, () => onAddress(undefined))

  async function change({ name, expiresAt, password }: ShareLinkFields) {
    await update.mutateAsync({ link, body: { name, expiresAt, password } })
    setChanging(false)
  }

  return (
    <li className="flex flex-col gap-1 py-3">
      <LinkFacts link={link} />
      {isChanging ? (
        <LinkForm
          projectId={projectId}
          link={link}
          busy={update.isPending}
          onSubmit={change}
          onCancel={() => setChanging(false)}
        />
      ) : (
        <LinkActions
          name={link.name}
          renewal={renewal}
          removal={removal}
          onAddress={onAddress}
          onChange={() => setChanging(true)}
        />
      )}
    </li>
  )
}

function LinkFacts({ link }: { link: ShareLink }) {
  const { name, expiresAt, hasPassword } = link
  const now = useNow()
  const hasEnded = expiresAt !== null && Date.parse(expiresAt) <= now
  return (
    <div className="min-w-0">
      <p className="flex flex-wrap items-center gap-x-2.5 gap-y-1">
        <bdi className="min-w-0 truncate font-medium">{name}</bdi>
        {hasEnded && <Badge tone="warning">Ended</Badge>}
        {hasPassword && <Badge icon={<LockKeyhole aria-hidden="true" />}>Password</Badge>}
      </p>
      <p className="mt-0.5 flex flex-wrap gap-x-3 text-sm text-muted">
        <span className="inline-flex min-w-0 items-center gap-1.5">
          <LinkIcon className="size-3.5 shrink-0" aria-hidden="true" />
          <Scope link={link} />
        </span>
        {expiresAt !== null && (
          <span>
            {hasEnded ? 'Ended' : 'Ends'} <Time iso={expiresAt} />
          </span>
        )}
        <span>
          {link.lastUsedOn === null ? (
            'Not used yet'
          ) : (
            <>
              Last used <PlannedDay on={link.lastUsedOn} />
            </>
          )}
        </span>
      </p>
    </div>
  )
}

type LinkActionsProps = Pick<LinkListProps, 'onAddress'> & {
  name: string
  renewal: ReturnType<typeof useRenewShareLink>
  removal: ReturnType<typeof useRevokeShareLink>
  onChange: () => void
}

const LinkActions = ({ name, renewal, removal, onAddress, onChange }: LinkActionsProps) => (
  <div className="-mx-3 flex flex-wrap">
    <Button size="sm" variant="quiet" aria-label={`Change ${name}`} onClick={onChange}>
      Change
    </Button>
    <RenewButton
      name={name}
      renewal={renewal}
      onAddress={onAddress}
      question="Give this link a new address?"
      detail="The former address ends at once, also for those who are reading now."
    />
    <ConfirmButton
      size="sm"
      variant="quiet"
      aria-label={`Revoke ${name}`}
      busy={removal.isPending}
      question="Revoke this link?"
      detail="Whoever has it can read nothing any more, pictures included."
      verb="Revoke"
      onConfirm={() => removal.mutate()}
    />
  </div>
)

/** What a link shows, in words. */
function Scope({ link: { entry, fromEntry, fromDay } }: { link: ShareLink }) {
  if (fromDay !== null)
    return (
      <span>
        From <PlannedDay on={fromDay} /> on
      </span>
    )
  const linked = entry ?? fromEntry
  if (!linked) return <span>The whole project</span>
  if (linked.title === null) return <span>Nothing: its entry is not published</span>
  return entry ? (
    <span className="min-w-0 truncate">
      Only <bdi>{linked.title}</bdi>
    </span>
  ) : (
    <span className="min-w-0 truncate">
      From <bdi>{linked.title}</bdi> on
    </span>
  )
}
