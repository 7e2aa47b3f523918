import { useQuery } from '@tanstack/react-query'
import { KeyRound } from 'lucide-react'
import { useState } from 'react'
import { ACCESS_TOKENS_MAX, type AccessToken } from '#contract/access-tokens.ts'
import { Button } from '#web/ui/controls/button.tsx'
import { ConfirmButton } from '#web/ui/dialogs/confirm-button.tsx'
import { FetchFailed } from '#web/ui/feedback/empty-state.tsx'
import { Skeleton } from '#web/ui/feedback/loading.tsx'
import { VisuallyHidden } from '#web/ui/layout/accessibility.tsx'
import { Badge } from '#web/ui/layout/badge.tsx'
import { RelativeTime, Time, useNow } from '#web/ui/layout/time.tsx'
import { CreateDialog } from './create-dialog.tsx'
import { accessTokensQuery, useRevokeAccessToken } from './queries.ts'
import { scopeNames } from './scopes.tsx'

/** The section of the user's access tokens: creates and revokes them. */
export function AccessTokens() {
  const { data, isError, isFetching, refetch } = useQuery({ ...accessTokensQuery, refetchOnMount: 'always' })
  const [isCreating, setCreating] = useState(false)
  return (
    <>
      <p className="text-muted">
        A program with a token acts on your behalf, within the permissions that you give it. The{' '}
        <a href="/api/docs" className="text-accent underline">
          API documentation
        </a>{' '}
        explains how.
      </p>
      {data && data.length > 0 && (
        <ul
          tabIndex={-1}
          aria-label="Access tokens"
          className="mt-4 divide-y divide-line border-y border-line outline-none"
        >
          {data.map((token) => (
            <TokenRow key={token._id} token={token} />
          ))}
        </ul>
      )}
      {!data && (isError ? <Failed busy={isFetching} onRetry={() => void refetch()} /> : <Loading />)}
      <Button
        className="mt-5"
        // The loaded list moves this button, so a press in that moment would be lost.
        disabled={data ? data.length >= ACCESS_TOKENS_MAX : !isError}
        onClick={() => setCreating(true)}
      >
        New access token
      </Button>
      {isCreating && <CreateDialog onClose={() => setCreating(false)} />}
    </>
  )
}

function Failed(props: { busy: boolean; onRetry: () => void }) {
  return <FetchFailed title="Your access tokens could not be fetched" {...props} />
}

function Loading() {
  return (
    <output className="mt-4 block">
      <VisuallyHidden>Loading your access tokens</VisuallyHidden>
      <Skeleton className="h-16 rounded-md" />
    </output>
  )
}

function TokenRow({ token }: { token: AccessToken }) {
  const { name, expiresAt, lastUsedAt } = token
  const revoke = useRevokeAccessToken(token)
  const now = useNow()
  const isExpired = expiresAt !== null && Date.parse(expiresAt) <= now
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-2 py-4">
      <KeyRound className="size-5 shrink-0 text-muted" aria-hidden="true" />
      <div className="min-w-0 flex-1">
        <p className="flex flex-wrap items-center gap-x-2.5 gap-y-1 font-medium">
          <bdi className="min-w-0 break-words">{name}</bdi>
          {isExpired && <Badge tone="warning">Expired</Badge>}
        </p>
        <p className="text-sm break-words text-muted">
          {scopeNames(token.scopes)} · {projectNames(token)}
        </p>
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
            {expiresAt === null ? (
              'Does not expire'
            ) : (
              <>
                {isExpired ? 'Expired' : 'Expires'}: <Time iso={expiresAt} />
              </>
            )}
          </span>
        </p>
      </div>
      <ConfirmButton
        size="sm"
        aria-label={`Revoke ${name}`}
        busy={revoke.isPending}
        question={`Revoke ${name}?`}
        detail="Programs that use it stop working at once. It cannot be restored."
        verb="Revoke"
        onConfirm={() => revoke.mutate()}
      />
    </li>
  )
}

function projectNames({ projects }: AccessToken): string {
  if (projects === null) return 'all your projects'
  return projects.length === 0 ? 'no project any more' : projects.map(({ title }) => title).join(', ')
}
