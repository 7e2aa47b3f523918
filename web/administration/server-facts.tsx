import { useQuery } from '@tanstack/react-query'
import type { FailedJobs, Instance, JobQueue, TestEmailOutcome } from '#contract/administration.ts'
import { sizeText } from '#contract/parts/sizes.ts'
import { Button } from '#web/ui/controls/button.tsx'
import { Banner } from '#web/ui/feedback/banner.tsx'
import { FetchFailed } from '#web/ui/feedback/empty-state.tsx'
import { Skeleton } from '#web/ui/feedback/loading.tsx'
import { Outdated } from '#web/ui/feedback/outdated.tsx'
import { RelativeTime, Time, useNow } from '#web/ui/layout/time.tsx'
import { useSendTestEmail } from './mutations.ts'
import { failedJobsQuery } from './queries.ts'

/** The version, the storage, the test of email, and the failed jobs. */
export function ServerFacts({ instance }: { instance: Instance }) {
  const { version, people, storage, disk, lastBackupAt, sendsMail } = instance
  const facts = [
    ['Version', version],
    ['Accounts', people.toLocaleString()],
    ['Total storage', sizeText(storage.files + storage.text)],
    ['Files', sizeText(storage.files)],
    ['Text', sizeText(storage.text)],
    ...(disk ? [['Free on the disk', `${sizeText(disk.free)} of ${sizeText(disk.total)}`] as const] : []),
    [
      'Last backup',
      lastBackupAt ? (
        <Time key="backup" iso={lastBackupAt} format="datetime" />
      ) : (
        'None made with “npm run backup” yet'
      ),
    ],
  ] as const
  return (
    <div className="flex flex-col gap-6">
      <dl className="grid grid-cols-[auto_1fr] gap-x-6 gap-y-2 text-sm">
        {facts.map(([name, value]) => (
          <div key={name} className="col-span-2 grid grid-cols-subgrid">
            <dt className="text-muted">{name}</dt>
            <dd className="font-medium">{value}</dd>
          </div>
        ))}
      </dl>
      {disk?.isLow && (
        <Banner tone="danger">
          The disk is nearly full. Once it is, nobody can save anything: free some space, or move the data to
          a larger disk.
        </Banner>
      )}
      <div className="border-t border-line pt-5">
        <h3 className="mb-2 text-sm font-semibold">Email</h3>
        {sendsMail ? (
          <TestEmail />
        ) : (
          <p className="text-sm text-muted">
            Email is not set up, so you copy links and pass them on. The settings SMTP_URL and MAIL_FROM of
            this server turn it on.
          </p>
        )}
      </div>
      <div className="border-t border-line pt-5">
        <h3 className="mb-2 text-sm font-semibold">Background jobs</h3>
        <FailedWork />
      </div>
    </div>
  )
}

const outcomes: { [outcome in TestEmailOutcome]: string } = {
  sent: 'The mail server accepted the email. If it does not arrive within minutes, look in the spam folder and in the log of the mail server.',
  unreachable:
    'Not sent: the mail server could not be reached, or did not respond. Check the host and port in SMTP_URL.',
  not_encrypted:
    'Not sent: there is no encrypted connection to the mail server as SMTP_URL or the mail server asks for. Port 465 needs smtps://, port 587 needs smtp://. A certificate of an authority of your own needs NODE_EXTRA_CA_CERTS. The log of this server says more.',
  login_refused:
    'Not sent: the mail server refused the user name and password in SMTP_URL, or requires them. Some, such as those of Google, want a password that was made for apps.',
  sender_refused: 'Not sent: the mail server refuses to send for the address in MAIL_FROM.',
  relay_refused:
    'Not sent: the mail server does not forward emails from this server to others. It may require a user name and password in SMTP_URL.',
  recipient_refused: 'Not sent: the mail server refused your address.',
  try_later:
    'Not sent: the mail server asks to try again later. Other emails are tried again automatically, this test is not.',
  refused:
    'Not sent: the mail server refused the email, but not because of your address. The log of this server says why.',
}

/** Sends a test email to the administrator, and shows the result. */
function TestEmail() {
  const { mutate, data, isPending } = useSendTestEmail()
  return (
    <>
      <p className="mb-3 text-sm text-muted">Email is set up. A test goes to your own address.</p>
      <Button busy={isPending} onClick={() => mutate()}>
        Send a test email
      </Button>
      <output className="mt-3 block text-sm empty:hidden">
        {!isPending && data && outcomes[data.outcome]}
      </output>
    </>
  )
}

/** The labels of queues by name. */
const queues: { [queue in JobQueue | 'webhook-deliveries']: string } = {
  'access-token-emails': 'Emails about new access tokens',
  'approval-emails': 'Emails about approved accounts',
  'confirmation-letters': 'Emails to confirm an address',
  'entry-renderings': 'Rendering of older entries',
  'email-change-emails': 'Emails to change an address',
  'email-change-notices': 'Emails about changed addresses',
  'invitation-letters': 'Invitations to projects',
  'leaving-emails': 'Emails about accounts being deleted',
  'new-sign-in-emails': 'Emails about new devices',
  'follower-emails': 'Emails to followers',
  'news-emails': 'Emails with the news of projects',
  'passkey-notices': 'Emails about passkeys',
  'password-notices': 'Emails about changed passwords',
  'password-reset-emails': 'Emails to reset a password',
  'server-invitation-emails': 'Invitations to this server',
  'two-factor-notices': 'Emails about two-step sign-in',
  'webhook-deliveries': 'Messages to webhooks',
}

/** Returns the label of a queue; its name, if it belongs to another release. */
const labelOf = (queue: string) => Object.entries(queues).find(([name]) => name === queue)?.[1] ?? queue

function FailedWork() {
  const query = useQuery({ ...failedJobsQuery, refetchOnMount: 'always' })
  const { data, isError, isFetching, refetch } = query
  const now = useNow()
  if (!data && isError)
    return (
      <FetchFailed
        title="The failed jobs could not be fetched"
        busy={isFetching}
        onRetry={() => void refetch()}
      />
    )
  if (!data) return <Skeleton className="h-5 w-48 rounded-sm" />
  return (
    <>
      <Outdated of={[query]} className="mb-3" />
      {data.length === 0 ? (
        <p className="text-sm text-muted">Nothing has failed.</p>
      ) : (
        <>
          <p className="text-sm text-muted">The log of this server says why these failed.</p>
          <ul aria-label="Failed jobs" className="mt-2 divide-y divide-line text-sm">
            {data.map(({ queue, lastTriedAt, ...counts }) => (
              <li key={queue} className="flex flex-wrap items-baseline gap-x-4 gap-y-1 py-2.5">
                <span className="min-w-[min(13rem,100%)] flex-1 font-medium">{labelOf(queue)}</span>
                <span className="text-muted">{countsOf(counts)}</span>
                <RelativeTime at={lastTriedAt} now={now} className="text-xs text-faint" />
              </li>
            ))}
          </ul>
        </>
      )}
    </>
  )
}

function countsOf({ waiting, givenUp, switchedOff = 0 }: Omit<FailedJobs, 'queue' | 'lastTriedAt'>): string {
  const parts = [
    ...(waiting > 0 ? [`${waiting.toLocaleString()} to be tried again`] : []),
    ...(givenUp > 0 ? [`${givenUp.toLocaleString()} given up`] : []),
    ...(switchedOff > 0 ? [`${switchedOff.toLocaleString()} switched off for it`] : []),
  ]
  return parts.join(', ')
}
