import { Mail, MailCheck, MailX } from 'lucide-react'
import type { ReactNode } from 'react'
import type { EmailChoice } from '#contract/rendering.ts'
import { NoIndex, ScreenTitle } from '#web/head/screen-title.tsx'
import { Button, LinkButton } from '#web/ui/controls/button.tsx'
import { Page } from '#web/ui/layout/page.tsx'

/**
 * The page on which somebody confirms or stops emails by the link of one, without an account and without scripts. Its only button sends the
 * form to the page itself.
 */
export function EmailChoicePage({ choice }: { choice: EmailChoice }) {
  const { icon: Icon, title, text, button, way } = facesOf(choice)
  return (
    <Page width="narrow">
      <ScreenTitle>{title}</ScreenTitle>
      <NoIndex />
      <Icon className="mb-4 size-8 text-muted" aria-hidden="true" />
      <h1 className="font-reading text-3xl font-medium tracking-tight">{title}</h1>
      <p className="mt-3 mb-6 text-muted">{text}</p>
      {button !== undefined && (
        <form method="post" className="mb-4">
          {/* oxlint-disable-next-line jsx-a11y/no-autofocus -- the page is for this press alone */}
          <Button type="submit" variant="primary" size="lg" autoFocus>
            {button}
          </Button>
        </form>
      )}
      {way && <LinkButton to={way.to}>{way.label}</LinkButton>}
    </Page>
  )
}

type Face = {
  icon: typeof Mail
  title: string
  text: ReactNode
  button?: string
  way?: { to: string; label: string }
}

const named = (title: string) => (
  <bdi lang="" className="font-semibold text-ink">
    {title}
  </bdi>
)

const toProject = ({ path }: { path: string }) => ({ to: path, label: 'To the project' })
const toSettings = { to: '/settings', label: 'Settings' }

function facesOf(choice: EmailChoice): Face {
  switch (choice.step) {
    case 'asked':
      return {
        icon: Mail,
        title: 'Look into your mailbox',
        text: (
          <>
            We have sent an email with a link. Open it and press the button there, and you follow{' '}
            {named(choice.project.title)}. It may take some minutes, or lie among the unwanted ones. Nothing
            comes to an address that follows already.
          </>
        ),
        way: toProject(choice.project),
      }
    case 'confirm':
      return {
        icon: Mail,
        title: choice.isShared ? 'Emails about this project?' : 'Follow this project by email?',
        ...(choice.isShared && { way: toProject(choice.project) }),
        text: (
          <>
            You get at most one email a day when something is new in {named(choice.project.title)}, and can
            stop them with one press.
          </>
        ),
        button: 'Confirm',
      }
    case 'confirmed':
      return {
        icon: MailCheck,
        title: choice.isShared ? 'You get the emails' : 'You follow this project',
        text: <>When something is new in {named(choice.project.title)}, you get an email.</>,
        way: toProject(choice.project),
      }
    case 'not valid':
      return {
        icon: MailX,
        title: 'This link does not work',
        text: 'It may be incomplete or too old, or what it was about is no longer there.',
        way: { to: '/', label: 'Back to Home' },
      }
    case 'stop':
    case 'stopped':
      break
  }
  return stopping(choice)
}

const what = {
  daily: 'the daily email with the news of your projects',
  mention: 'emails when somebody mentions you',
}

function stopping(choice: Extract<EmailChoice, { step: 'stop' | 'stopped' }>): Face {
  const isDone = choice.step === 'stopped'
  const icon = MailX
  const title = isDone ? 'The emails are stopped' : 'Stop these emails?'
  const ask = isDone ? {} : { button: 'Stop these emails' }
  if (choice.emails !== 'follower')
    return {
      icon,
      title,
      ...ask,
      text: `You ${isDone ? 'no longer get' : 'will no longer get'} ${what[choice.emails]}. You can turn them on again in your settings.`,
      way: toSettings,
    }
  const { project } = choice
  const about = project ? <>the news of {named(project.title)}</> : 'this news'
  return {
    icon,
    title,
    ...ask,
    text: isDone ? (
      <>You no longer get {about}, and your address is removed.</>
    ) : (
      <>You will no longer get {about}, and your address is removed.</>
    ),
    ...(project && { way: toProject(project) }),
  }
}
