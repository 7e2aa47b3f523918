import { clsx } from 'clsx'
import { Pause, Play } from 'lucide-react'
import type { ReactNode } from 'react'
import { IconButton } from '#web/ui/controls/button.tsx'
import { VisuallyHidden } from '#web/ui/layout/accessibility.tsx'
import { useChat } from './use-chat.ts'
import { conversations, type Message, testimonials } from './voices.ts'

/** Illustrative testimonials by invented people, labeled as such. */
export function VoicesSection() {
  return (
    <section
      aria-labelledby="voices"
      className="mx-auto grid max-w-wide gap-x-20 gap-y-10 px-4 py-16 sm:px-6 lg:grid-cols-[minmax(0,30rem)_1fr] lg:py-24"
    >
      <Chat />
      <div className="flex flex-col justify-center max-lg:order-first">
        <h2 id="voices" className="text-3xl font-semibold tracking-tight">
          Voices along the way
        </h2>
        <p className="mt-2 text-sm text-muted">
          Illustrations: the people are invented, the ways of working are not.
        </p>
        <div className="mt-8 flex flex-col gap-8">
          {testimonials.map(({ speaker, text }) => (
            <figure key={text} className="border-l-2 border-accent pl-5">
              <blockquote className="font-reading text-xl">
                <p>“{text}”</p>
              </blockquote>
              <figcaption className="mt-2 text-sm text-muted">{speaker}</figcaption>
            </figure>
          ))}
        </div>
      </div>
    </section>
  )
}

/**
 * The conversations, one at a time. All share one grid cell and are shown or hidden, so that the chat keeps the size of
 * the longest. Without JavaScript, with reduced motion or in print, a conversation is shown as a whole.
 */
function Chat() {
  const chat = useChat()
  return (
    <section
      aria-label="Conversations"
      data-needs-scripts
      className="rounded-xl border border-line bg-raised p-4 shadow-md sm:p-6"
    >
      <div className="grid">
        {conversations.map((messages, group) => (
          <Conversation
            key={messages[0]?.text}
            messages={messages}
            shown={group === chat.group ? chat.shown : null}
            typing={chat.typing}
          />
        ))}
      </div>
      <div className="mt-4 flex h-10 items-center gap-1 noscript:invisible pointer-coarse:h-11">
        {conversations.map((messages, group) => (
          <button
            key={messages[0]?.text}
            type="button"
            aria-label={`Conversation ${group + 1}`}
            aria-current={group === chat.group ? 'true' : undefined}
            className="group grid size-8 place-items-center rounded-full pointer-coarse:size-11"
            onClick={() => chat.choose(group)}
          >
            <span className="size-3 rounded-full border-2 border-edge group-hover:border-ink group-aria-[current]:border-accent group-aria-[current]:bg-accent" />
          </button>
        ))}
        <IconButton
          label={chat.paused ? 'Play conversations' : 'Pause conversations'}
          icon={chat.paused ? <Play /> : <Pause />}
          className="motion-reduce:hidden"
          onClick={chat.togglePause}
        />
      </div>
    </section>
  )
}

type ConversationProps = { messages: readonly Message[]; shown: number | null; typing: boolean }

/** A conversation, of which `shown` messages are visible; null while another one is shown. */
function Conversation({ messages, shown, typing }: ConversationProps) {
  const opener = messages[0]?.speaker
  return (
    <ol className="col-start-1 row-start-1 flex flex-col gap-3.5">
      {messages.map(({ speaker, text }, index) => {
        const right = speaker !== opener
        const visible = shown !== null && index < shown
        return (
          <li key={text} className={clsx('relative flex', right && 'justify-end')}>
            <div
              className={clsx(
                'max-w-[88%] sm:max-w-[80%]',
                visible && 'animate-rise',
                // Never made visible, as that would also show it through the Loading screen.
                !visible && (shown === null ? 'invisible' : 'motion-safe:not-noscript:not-print:invisible'),
              )}
            >
              <p className={clsx('mb-1 px-1 text-xs font-medium text-faint', right && 'text-right')}>
                {speaker}
              </p>
              <Bubble right={right}>{text}</Bubble>
            </div>
            {typing && index === shown && <Typing speaker={speaker} right={right} />}
          </li>
        )
      })}
    </ol>
  )
}

function Bubble({ right, children }: { right: boolean; children: ReactNode }) {
  return (
    <div
      className={clsx(
        'w-fit rounded-xl px-4 py-2.5',
        right ? 'ml-auto rounded-br-sm bg-accent-soft' : 'rounded-bl-sm bg-sunken',
      )}
    >
      {children}
    </div>
  )
}

function Typing({ speaker, right }: { speaker: string; right: boolean }) {
  return (
    <div
      className={clsx(
        'absolute top-5 animate-fade noscript:hidden motion-reduce:hidden print:hidden',
        right ? 'right-0' : 'left-0',
      )}
    >
      <Bubble right={right}>
        <VisuallyHidden>{`${speaker} is typing`}</VisuallyHidden>
        <span className="flex h-6 items-center gap-1.5" aria-hidden="true">
          {[0, 1, 2].map((dot) => (
            <span key={dot} className="typing-dot size-1.5 rounded-full bg-muted" />
          ))}
        </span>
      </Bubble>
    </div>
  )
}
