import { useQuery } from '@tanstack/react-query'
import { clsx } from 'clsx'
import { useId, useState } from 'react'
import type { Webhook, WebhookDelivery } from '#contract/webhooks.ts'
import { Button } from '#web/ui/controls/button.tsx'
import { ConfirmButton } from '#web/ui/dialogs/confirm-button.tsx'
import { Badge } from '#web/ui/layout/badge.tsx'
import { RelativeTime, Time, useNow } from '#web/ui/layout/time.tsx'
import {
  deliveriesQuery,
  useDeleteWebhook,
  useRotateSecret,
  useSwitchWebhook,
  useTestWebhook,
} from './queries.ts'

const states = {
  on: { tone: 'success', text: 'On' },
  failing: { tone: 'warning', text: 'Failing' },
  off: { tone: 'neutral', text: 'Off' },
} as const

type LogProps = { projectId: string; webhook: Webhook }
type WebhookRowProps = LogProps & {
  onRotated: (secret: string) => void
  onDeleted: (webhookId: string) => void
}

/** A webhook, with its log on demand. */
export function WebhookRow({ projectId, webhook, onRotated, onDeleted }: WebhookRowProps) {
  const { url, state } = webhook
  const change = useSwitchWebhook(projectId, webhook)
  const { rotate, isPending: isRotating } = useRotateSecret(projectId, webhook)
  const remove = useDeleteWebhook(projectId, webhook, onDeleted)
  const [showsLog, setShowsLog] = useState(false)
  const logId = useId()
  return (
    <li className="flex flex-col gap-2.5 py-3.5">
      <WebhookState webhook={webhook} />
      <div className="grid grid-cols-[repeat(auto-fit,minmax(7.5rem,1fr))] gap-2 sm:flex sm:flex-wrap">
        <Button
          size="sm"
          aria-expanded={showsLog}
          aria-controls={logId}
          aria-label={`${showsLog ? 'Hide log' : 'Show log'} of ${url}`}
          onClick={() => setShowsLog(!showsLog)}
        >
          {showsLog ? 'Hide log' : 'Show log'}
        </Button>
        <Button
          size="sm"
          aria-label={state === 'off' ? `Switch on ${url}` : `Switch off ${url}`}
          busy={change.isPending}
          onClick={() => change.mutate(state === 'off')}
        >
          {state === 'off' ? 'Switch on' : 'Switch off'}
        </Button>
        <Button
          size="sm"
          aria-label={`New secret for ${url}`}
          busy={isRotating}
          onClick={() => rotate(onRotated)}
        >
          New secret
        </Button>
        <ConfirmButton
          size="sm"
          variant="quiet"
          className="max-sm:border-edge/55! max-sm:text-ink"
          aria-label={`Delete ${url}`}
          busy={remove.isPending}
          question="Delete this webhook?"
          detail="Messages that have not been sent are dropped, and its log is deleted."
          verb="Delete"
          onConfirm={() => remove.mutate()}
        />
      </div>
      <div id={logId} className="empty:hidden">
        {showsLog && <Log projectId={projectId} webhook={webhook} />}
      </div>
    </li>
  )
}

/** Where a webhook sends, and whether that arrives. */
function WebhookState({ webhook }: Pick<LogProps, 'webhook'>) {
  const { url, state, failingSince, formerSecretUntil } = webhook
  return (
    <div className="min-w-0">
      <p className="flex items-center gap-2.5">
        <bdi className="min-w-0 truncate font-medium">{url}</bdi>
        <Badge tone={states[state].tone}>{states[state].text}</Badge>
      </p>
      {failingSince !== null && (
        <p className="text-sm text-muted">
          Nothing has arrived since <Time iso={failingSince} format="datetime" />.
          {state === 'failing' && ' After three days it is switched off.'}
        </p>
      )}
      {formerSecretUntil !== null && (
        <p className="text-sm text-muted">
          Also signed with the former secret until <Time iso={formerSecretUntil} format="datetime" />.
        </p>
      )}
    </div>
  )
}

/** The interval at which the visible log is refetched. */
const LOG_MS = 5_000

function Log({ projectId, webhook }: LogProps) {
  const test = useTestWebhook(projectId, webhook)
  return (
    <div className="flex flex-col items-start gap-2.5">
      <Deliveries projectId={projectId} webhook={webhook} />
      <Button
        size="sm"
        aria-label={`Send a test message to ${webhook.url}`}
        busy={test.isPending}
        onClick={() => test.mutate()}
      >
        Send a test message
      </Button>
    </div>
  )
}

function Deliveries({ projectId, webhook }: LogProps) {
  const { data, errorUpdateCount } = useQuery({
    ...deliveriesQuery(projectId, webhook._id),
    refetchOnMount: 'always',
    refetchInterval: LOG_MS,
  })
  if (!data)
    return (
      <p className="text-sm text-muted">
        {errorUpdateCount > 0 ? 'The log could not be fetched.' : 'Loading the log…'}
      </p>
    )
  if (data.length === 0) return <p className="text-sm text-muted">Nothing was sent in the last seven days.</p>
  return (
    <ul
      aria-label={`Log of ${webhook.url}`}
      className="max-h-64 w-full overflow-y-auto rounded-md bg-sunken px-3 py-1"
    >
      {data.map((delivery) => (
        <Delivery key={delivery._id} delivery={delivery} />
      ))}
    </ul>
  )
}

const outcomes = { waiting: 'waits', delivered: 'arrived', failed: 'given up' }

function Delivery({ delivery }: { delivery: WebhookDelivery }) {
  const { type, state, createdAt, attempts, outcome } = delivery
  const now = useNow()
  return (
    <li className="grid grid-cols-[minmax(0,1fr)_auto] gap-x-3 py-1.5 text-sm sm:flex">
      <code className="font-mono text-xs leading-5 max-sm:truncate">{type}</code>
      <span
        className={clsx(
          'min-w-0 wrap-anywhere max-sm:row-start-2 max-sm:col-span-2',
          state === 'failed' ? 'text-danger' : 'text-muted',
        )}
      >
        {outcomes[state]}
        {attempts > 1 && `, ${attempts} tries`}
        {outcome !== null && ` (${outcome})`}
      </span>
      <RelativeTime at={createdAt} now={now} className="ml-auto text-muted" />
    </li>
  )
}
