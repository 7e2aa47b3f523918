import { KeyRound } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { useSearchParams } from 'react-router'
import { z } from 'zod'
import { email } from '#contract/email.ts'
import { request } from '#web/api/client.ts'
import { useServerOptions } from '#web/api/server-options.ts'
import { withRedirect } from '#web/identity/redirect.ts'
import { useCredentials } from '#web/identity/sign-in/use-credentials.ts'
import { Button, LinkButton } from '#web/ui/controls/button.tsx'
import { EmailField } from '#web/ui/controls/field.tsx'
import { Banner } from '#web/ui/feedback/banner.tsx'
import { useHydrated } from '#web/ui/layout/use-hydrated.ts'
import { LinkPage, NoPasswords } from './link-page.tsx'

/** Sends a link for choosing a new password or, if the server sends no emails, names the person to ask. */
export default function ForgotPasswordScreen() {
  const identity = useServerOptions()?.identity
  const [sentTo, setSentTo] = useState<string | null>(null)

  function content(): ReactNode {
    if (identity?.issuerOnly) return <NoPasswords />
    if (identity && !identity.sendsMail) return <AskTheOperator isHosted={identity.provider === 'firebase'} />
    if (sentTo === null) return <RequestForm onSent={setSentTo} />
    return (
      <>
        <p className="mt-2 text-muted">
          If <b className="font-semibold break-words text-ink">{sentTo}</b> has an account here, an email with
          a link is on its way. The link works once, within an hour.
        </p>
        <p className="mt-2 text-muted">Nothing there? Look among the spam, or check the address.</p>
        <div className="mt-6">
          <Button onClick={() => setSentTo(null)}>Try another address</Button>
        </div>
      </>
    )
  }

  return (
    <LinkPage icon={KeyRound} heading={sentTo === null ? 'Forgot your password?' : 'Check your email'}>
      {content()}
    </LinkPage>
  )
}

function RequestForm({ onSent }: { onSent: (email: string) => void }) {
  const isAlive = useHydrated()
  const { form, error, submit } = useCredentials({
    schema: z.object({ email }),
    fields: ['email'],
    send: async (typed) => {
      await request('requestPasswordReset', { body: typed })
      onSent(typed.email)
    },
    toFormError: ({ message }) => ({ text: message }),
    fallback: 'The link could not be sent. Please try again.',
  })
  const { errors, isSubmitting } = form.formState
  return (
    <>
      <p className="mt-2 text-muted">
        Type the address of your account, and you get a link to choose a new one.
      </p>
      {/* POST, so that the email never appears in a URL, even if the browser submits the form natively. */}
      <form method="post" noValidate onSubmit={submit} className="mt-6 flex flex-col gap-5">
        <EmailField
          autoComplete="username"
          invalid={errors.email !== undefined}
          {...form.register('email')}
        />
        <div className="flex flex-wrap gap-2.5">
          <Button type="submit" variant="primary" disabled={!isAlive} busy={isSubmitting}>
            Send the link
          </Button>
          <BackToSignIn variant="quiet" />
        </div>
        {error && <Banner>{error}</Banner>}
      </form>
    </>
  )
}

/** Links to the sign-in page, with the same redirect afterwards. */
function BackToSignIn({ variant }: { variant?: 'quiet' }) {
  const [search] = useSearchParams()
  return (
    <LinkButton to={withRedirect('/login', search)} variant={variant}>
      Back to sign in
    </LinkButton>
  )
}

function AskTheOperator({ isHosted }: { isHosted: boolean }) {
  return (
    <>
      {isHosted ? (
        <p className="mt-2 text-muted">
          This server signs people in with Firebase, which keeps the passwords. Ask its operator: they can
          have a link sent to you.
        </p>
      ) : (
        <>
          <p className="mt-2 text-muted">
            Ask the person who runs this server, and tell them the address of your account: they send you a
            link to choose a new password, or a password that you then change under Settings. The server
            itself sends no email.
          </p>
          <p className="mt-3 text-muted">Nothing is lost: your projects stay as you left them.</p>
        </>
      )}
      <div className="mt-6">
        <BackToSignIn />
      </div>
      {!isHosted && (
        <p className="mt-8 border-t border-line pt-4 text-xs leading-5 text-muted">
          For the operator of this server:
          <code className="block overflow-x-auto font-mono">npm run reset-password -- EMAIL</code>
        </p>
      )}
    </>
  )
}
