import { clsx } from 'clsx'
import { type ChangeEvent, use } from 'react'
import type { Account } from '#contract/account.ts'
import {
  type EmailedNotification,
  emailedNotification,
  type NotificationPreferences,
  type NotificationType,
} from '#contract/notifications.ts'
import { useServerOptions } from '#web/api/server-options.ts'
import { Checkbox, Field, Select } from '#web/ui/controls/field.tsx'
import { dateFormatter } from '#web/ui/layout/date-formatter.ts'
import { DateContext } from '#web/ui/layout/time.tsx'
import { useChooseNewsEmails, useMuteNotifications } from './mutations.ts'

const labels: { [type in NotificationType]: string } = {
  collaboration_invite: 'Somebody invites me to a project',
  collaboration_accepted: 'Somebody accepts an invitation to my project',
  collaboration_declined: 'Somebody declines an invitation to my project',
  role_updated: 'My role in a project changes',
  collaboration_removed: 'I am removed from a project, or an invitation is withdrawn',
  other: 'Somebody leaves my project or makes me the owner of theirs, or a webhook is switched off',
}

/** In a narrow column, or with large text, the label of a row has its own line above the choices. */
const rowClass = '@max-2xs:flex @max-2xs:flex-wrap'

/** The form for the types of notifications, in Milepost and, if the server sends emails, by email. */
export function NotificationSettings({ account }: { account: Account }) {
  const sendsMail = useServerOptions()?.identity.sendsMail ?? false
  const mute = useMuteNotifications()
  const { muted, mutedEmails } = account.notifications
  return (
    <>
      <div className="@container">
        <table className="w-full border-collapse text-sm">
          <thead>
            <tr className={clsx(rowClass, 'text-muted')}>
              <th scope="col" className="pb-2 text-left font-medium @max-2xs:basis-full">
                Tell me when
              </th>
              <th scope="col" className="w-20 pb-2 text-center font-medium @max-2xs:flex-1">
                In Milepost
              </th>
              {sendsMail && (
                <th scope="col" className="w-16 pb-2 text-center font-medium @max-2xs:flex-1">
                  By email
                </th>
              )}
            </tr>
          </thead>
          <tbody>
            {(Object.keys(labels) as NotificationType[]).map((type) => (
              <tr key={type} className={clsx(rowClass, 'border-t border-line')}>
                <th scope="row" className="py-1.5 pr-3 text-left font-normal @max-2xs:basis-full">
                  {labels[type]}
                </th>
                <td className="text-center @max-2xs:flex-1">
                  <Choice
                    label={`${labels[type]}: in Milepost`}
                    checked={!muted.includes(type)}
                    onChange={({ target }) => mute({ list: 'muted', type, isMuted: !target.checked })}
                  />
                </td>
                {sendsMail && (
                  <td className="text-center @max-2xs:flex-1">
                    {isEmailed(type) && (
                      <Choice
                        label={`${labels[type]}: by email`}
                        checked={!mutedEmails.includes(type)}
                        onChange={({ target }) =>
                          mute({ list: 'mutedEmails', type, isMuted: !target.checked })
                        }
                      />
                    )}
                  </td>
                )}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {sendsMail && <NewsEmails {...account.notifications} />}
      <p className="mt-3 text-sm text-muted">
        {sendsMail
          ? 'Emails about your password, your address and your account are always sent.'
          : 'This server sends no email.'}{' '}
        Invitations also wait under Collaborations.
      </p>
    </>
  )
}

/** The emails with the news of the user's projects. */
function NewsEmails({
  newsHour,
  emailsMentions,
}: Pick<NotificationPreferences, 'newsHour' | 'emailsMentions'>) {
  const choose = useChooseNewsEmails()
  const { timeZone, ...dates } = use(DateContext)
  const written = dateFormatter('time', { ...dates, timeZone: 'UTC' })
  return (
    <div className="mt-5 flex flex-col gap-3 border-t border-line pt-5">
      <Field
        label="Daily email with unread news"
        hint={`New entries, milestones and mentions, by the time in ${timeZone ?? 'UTC'}. Each project has its own choice under Notifications in its menu.`}
      >
        <Select
          options={[
            { value: '', label: 'Never' },
            ...Array.from({ length: 24 }, (_, hour) => ({
              value: String(hour),
              label: written.format(new Date(Date.UTC(2026, 0, 1, hour))),
            })),
          ]}
          value={newsHour === null ? '' : String(newsHour)}
          onChange={({ target }) => choose({ newsHour: target.value === '' ? null : Number(target.value) })}
        />
      </Field>
      <Checkbox
        label="Email me at once when somebody mentions me"
        checked={emailsMentions}
        onChange={({ target }) => choose({ emailsMentions: target.checked })}
      />
    </div>
  )
}

const isEmailed = (type: NotificationType): type is EmailedNotification =>
  emailedNotification.safeParse(type).success

type ChoiceProps = {
  label: string
  checked: boolean
  onChange: (event: ChangeEvent<HTMLInputElement>) => void
}

function Choice(props: ChoiceProps) {
  const { label, ...rest } = props
  return (
    <label className="inline-grid size-9 cursor-pointer place-items-center rounded-md hover:bg-hover pointer-coarse:size-11">
      <input type="checkbox" aria-label={label} className="checkbox" {...rest} />
    </label>
  )
}
