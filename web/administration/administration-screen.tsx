import { useQuery } from '@tanstack/react-query'
import type { Instance } from '#contract/administration.ts'
import { ApiError } from '#web/api/api-error.ts'
import { ScreenTitle } from '#web/head/screen-title.tsx'
import { NotFoundPage } from '#web/shell/not-found-page.tsx'
import { FetchFailed } from '#web/ui/feedback/empty-state.tsx'
import { Skeleton } from '#web/ui/feedback/loading.tsx'
import { Outdated } from '#web/ui/feedback/outdated.tsx'
import { VisuallyHidden } from '#web/ui/layout/accessibility.tsx'
import { Page, PageHeader, Section } from '#web/ui/layout/page.tsx'
import { SectionIndex } from '#web/ui/layout/section-index.tsx'
import { AuditLog } from './audit-log.tsx'
import { Invitations } from './invitations.tsx'
import { People } from './people.tsx'
import { instanceQuery } from './queries.ts'
import { RegistrationForm, RegistrationPrompt } from './registration-form.tsx'
import { ServerFacts } from './server-facts.tsx'
import { AnnouncementForm, Terms } from './texts-forms.tsx'

/** The administration of this server; a page that does not exist for anybody but its administrators. */
export default function AdministrationScreen() {
  const query = useQuery({ ...instanceQuery, refetchOnMount: 'always' })
  const { data, error, isPending, isFetching, refetch } = query
  if (error instanceof ApiError && error.status === 404) return <NotFoundPage />
  if (isPending) return <Loading />
  return (
    <Page width="reading">
      <ScreenTitle>Administration</ScreenTitle>
      <PageHeader
        title="Administration"
        lede="The people on this server, who can join, and what administrators did."
      />
      <Outdated of={[query]} className="mb-6" />
      {data ? (
        <Sections instance={data} />
      ) : (
        <FetchFailed
          title="This page could not be fetched"
          busy={isFetching}
          onRetry={() => void refetch()}
        />
      )}
    </Page>
  )
}

function Sections({ instance }: { instance: Instance }) {
  const { registration, versions, sendsMail, hasPasswords } = instance
  const isUnset = registration.from === 'unset'
  // The row of the request is removed after the decision, and with it the focused button.
  return (
    <div tabIndex={-1} className="flex flex-col gap-10 outline-none">
      {isUnset && <RegistrationPrompt version={versions.registration} />}
      <SectionIndex sections={anchors} />
      <Section title="People" anchor="people">
        <People awaiting={instance.awaiting} hasPasswords={hasPasswords} />
      </Section>
      <Section title="Invitations" anchor="invitations">
        <Invitations isClosed={registration.mode === 'closed'} sendsMail={sendsMail} />
      </Section>
      <Section title="Registration" anchor="registration">
        <RegistrationForm registration={registration} version={versions.registration} />
      </Section>
      <Section title="Announcement" anchor="announcement">
        <AnnouncementForm announcement={instance.announcement} version={versions.announcement} />
      </Section>
      <Section title="Terms and conditions" anchor="terms">
        <Terms termsFrom={instance.termsFrom} version={versions.terms} />
      </Section>
      <Section title="This server" anchor="server">
        <ServerFacts instance={instance} />
      </Section>
      <Section title="Audit log" anchor="audit-log">
        <AuditLog />
      </Section>
    </div>
  )
}

const anchors = {
  people: 'People',
  invitations: 'Invitations',
  registration: 'Registration',
  announcement: 'Announcement',
  terms: 'Terms',
  server: 'This server',
  'audit-log': 'Audit log',
}

/** The title is neutral, because the page may turn out not to exist for this user. */
function Loading() {
  return (
    <Page width="reading">
      <title>Milepost</title>
      <output className="block">
        <VisuallyHidden>Loading</VisuallyHidden>
        <Skeleton className="mb-8 h-9 w-56" />
        <Skeleton className="h-64 rounded-lg" />
      </output>
    </Page>
  )
}
