import { type AccountNotices, type NoticeDeps, openNotices } from '#server/identity/account-notices.ts'

type About = 'on' | 'off' | 'off_by_administrator' | 'new_recovery_codes' | 'recovery_code_used'

type Notice = { about: About; at: string }

/** Emails about changes to the second factor of an account. */
export type TwoFactorEmails = AccountNotices<Notice>

const texts: { [about in About]: { title: string; happened: string; advice: string } } = {
  on: {
    title: 'Two-step sign-in was turned on',
    happened: 'Two-step sign-in was turned on',
    advice:
      'From now on, signing in also requires a code from your authenticator app. Keep your recovery codes safe.',
  },
  off: {
    title: 'Two-step sign-in was turned off',
    happened: 'Two-step sign-in was turned off',
    advice: 'From now on, you sign in with your password only.',
  },
  off_by_administrator: {
    title: 'Two-step sign-in was turned off',
    happened: 'Two-step sign-in was turned off by an administrator',
    advice: 'You now sign in with your password only. Turn two-step sign-in on again in the settings.',
  },
  new_recovery_codes: {
    title: 'You have new recovery codes',
    happened: 'New recovery codes for two-step sign-in were created',
    advice: 'Your previous codes no longer work.',
  },
  recovery_code_used: {
    title: 'A recovery code was used',
    happened: 'A recovery code for two-step sign-in was used',
    advice: 'It no longer works. You can create new ones in the settings.',
  },
}

/** Opens the queue of these emails. Only servers that send mail have it. */
export const openTwoFactorEmails = (deps: NoticeDeps): Promise<TwoFactorEmails> =>
  openNotices<Notice>(deps, {
    queue: 'two-factor-notices',
    name: 'an email about two-step sign-in',
    perDay: { name: 'two-factor notices', calls: 20 },
    write({ about, at }, { email, host, publicUrl, moment }) {
      const { title, happened, advice } = texts[about]
      return {
        subject: `${title} for Milepost`,
        title,
        opening: [
          `${happened} for the account ${email} on Milepost (${host}) on ${moment(at)}. ${advice}`,
          'If it was not you, somebody knows your password: choose a new one now, which signs the account out everywhere.',
        ],
        action: { label: 'Open the settings', url: `${publicUrl}/settings` },
        closing: [
          `To choose a new password, open ${publicUrl}/forgot-password.`,
          'If it was you, there is nothing to do.',
        ],
      }
    },
  })
