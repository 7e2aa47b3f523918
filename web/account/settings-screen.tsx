import type { ReactNode } from 'react'
import type { Account } from '#contract/account.ts'
import { sizeText } from '#contract/parts/sizes.ts'
import { AccessTokens } from '#web/access-tokens/access-tokens.tsx'
import { usePlainEditor } from '#web/composer/shell/composer-settings.ts'
import { ScreenTitle } from '#web/head/screen-title.tsx'
import { OwnPage } from '#web/profiles/own-page.tsx'
import { Checkbox } from '#web/ui/controls/field.tsx'
import { TryAgain } from '#web/ui/controls/try-again.tsx'
import { EmptyState } from '#web/ui/feedback/empty-state.tsx'
import { Skeleton } from '#web/ui/feedback/loading.tsx'
import { Outdated } from '#web/ui/feedback/outdated.tsx'
import { ProgressBar } from '#web/ui/feedback/progress-bar.tsx'
import { VisuallyHidden } from '#web/ui/layout/accessibility.tsx'
import { Page, PageHeader, Section } from '#web/ui/layout/page.tsx'
import { SectionIndex } from '#web/ui/layout/section-index.tsx'
import { DeleteAccount } from './delete-account.tsx'
import { DateSettings, ThemeSetting } from './display-settings.tsx'
import { NotificationSettings } from './notification-settings.tsx'
import { Passkeys } from './passkeys/passkeys.tsx'
import { PasswordForm } from './password-form.tsx'
import { ProfileForm } from './profile-form.tsx'
import { useAccount } from './queries.ts'
import { SessionList } from './session-list.tsx'
import { TwoFactor } from './two-factor/two-factor.tsx'
import { YourData } from './your-data.tsx'

/** The settings of the account and of this browser. */
export default function SettingsScreen() {
  const account = useAccount()
  return (
    <Page width="reading">
      <ScreenTitle>Settings</ScreenTitle>
      <PageHeader title="Settings" lede="Your account, and how Milepost looks in this browser." />
      <Outdated of={[account]} className="mb-6" />
      {account.isPending ? (
        <SettingsSkeleton />
      ) : account.data ? (
        <Sections account={account.data} />
      ) : (
        <EmptyState
          drawing="broken"
          title="Your account could not be fetched"
          action={<TryAgain busy={account.isFetching} onClick={() => void account.refetch()} />}
        >
          Check your connection and try again.
        </EmptyState>
      )}
    </Page>
  )
}

const groups = { account: 'Account', security: 'Security', writing: 'Writing', data: 'Data' }

function Sections({ account }: { account: Account }) {
  return (
    <div className="flex flex-col gap-10">
      <SectionIndex sections={groups} />
      <Group id="account">
        <Section title="Profile">
          <ProfileForm account={account} />
        </Section>
        <Section title="Your page">
          <OwnPage />
        </Section>
        <Section title="Dates and times">
          <DateSettings account={account} />
        </Section>
        <Section title="Notifications">
          <NotificationSettings account={account} />
        </Section>
      </Group>
      <Group id="security">
        <Section title="Password">
          <PasswordForm account={account} />
        </Section>
        <Section title="Passkeys">
          <Passkeys />
        </Section>
        <Section title="Two-step sign-in">
          <TwoFactor account={account} />
        </Section>
        <Section title="Sessions">
          <SessionList isHosted={account.password === 'elsewhere'} />
        </Section>
        <Section title="Access tokens">
          <AccessTokens />
        </Section>
      </Group>
      <Group id="writing">
        <Section title="This browser">
          <div className="flex flex-col gap-6">
            <ThemeSetting />
            <PlainEditor />
          </div>
        </Section>
      </Group>
      <Group id="data">
        <Section title="Storage">
          <Storage {...account.storage} />
        </Section>
        <Section title="Your data">
          <YourData />
        </Section>
        <Section title="Delete my account">
          <DeleteAccount account={account} />
        </Section>
      </Group>
    </div>
  )
}

/** A group of sections, to which the index leads. */
function Group({ id, children }: { id: keyof typeof groups; children: ReactNode }) {
  return (
    <section
      id={id}
      aria-label={groups[id]}
      tabIndex={-1}
      className="flex scroll-mt-32 flex-col gap-8 outline-none"
    >
      <p className="border-b border-line pb-2 font-reading text-2xl font-medium" aria-hidden="true">
        {groups[id]}
      </p>
      {children}
    </section>
  )
}

function PlainEditor() {
  const [isPlain, setPlain] = usePlainEditor()
  return (
    <Checkbox
      label="Plain editor"
      hint="Write in a plain text area, without colours and buttons in the text."
      checked={isPlain}
      onChange={({ target }) => setPlain(target.checked)}
    />
  )
}

function Storage({ used, quota }: Account['storage']) {
  const percent = Math.min(100, Math.round((used / quota) * 100))
  const words = `${sizeText(used)} of ${sizeText(quota)} used`
  return (
    <>
      <p className="font-medium">{words}</p>
      <ProgressBar className="mt-2" label="Storage used" value={percent} valueText={words} />
      <p className="mt-3 text-sm text-muted">
        Everything in projects that you own counts, no matter who added it, until it is deleted for ever.
      </p>
    </>
  )
}

function SettingsSkeleton() {
  return (
    <output className="flex flex-col gap-10">
      <VisuallyHidden>Loading your settings</VisuallyHidden>
      {Array.from({ length: 3 }, (_, index) => (
        <div key={index}>
          <Skeleton className="mb-3 h-7 w-28" />
          <div className="flex h-56 animate-appear flex-col gap-4 rounded-lg border border-line bg-raised p-5 shadow-sm sm:p-6">
            <Skeleton className="h-4 w-20" />
            <Skeleton className="h-10 w-full" />
            <Skeleton className="h-10 w-32" />
          </div>
        </div>
      ))}
    </output>
  )
}
