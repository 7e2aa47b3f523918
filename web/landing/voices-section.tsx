import { clsx } from 'clsx'
import { Pause, Play } from 'lucide-react'
import type { ReactNode } from 'react'
import { IconButton } from '#web/ui/controls/button.tsx'
import { VisuallyHidden } from '#web/ui/layout/accessibility.tsx'
import { messageClasses } from './chat.ts'
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
 * the longest. `islands/chat.ts` animates them. Without JavaScript, with reduced motion or in print, a conversation is shown as a whole.
 */
function Chat() {
  return (
    <section
      aria-label="Conversations"
      data-island="chat"
      className="rounded-xl border border-line bg-raised p-4 shadow-md sm:p-6"
    >
      <div className="grid">
        {conversations.map((messages, group) => (
          <Conversation key={messages[0]?.text} messages={messages} isFirst={group === 0} />
        ))}
      </div>
      <div className="mt-4 flex h-10 items-center gap-1 noscript:invisible pointer-coarse:h-11">
        {conversations.map((messages, group) => (
          <button
            key={messages[0]?.text}
            type="button"
            data-conversation
            aria-label={`Conversation ${group + 1}`}
            aria-current={group === 0 ? 'true' : undefined}
            className="group grid size-8 place-items-center rounded-full pointer-coarse:size-11"
          >
            <span className="size-3 rounded-full border-2 border-edge group-hover:border-ink group-aria-[current]:border-accent group-aria-[current]:bg-accent" />
          </button>
        ))}
        <IconButton
          label="Pause conversations"
          data-pause
          icon={
            <>
              <Pause className="group-data-paused:hidden" />
              <Play className="hidden group-data-paused:block" />
            </>
          }
          className="group motion-reduce:hidden"
        />
      </div>
    </section>
  )
}

/** A conversation before its first message. */
function Conversation({ messages, isFirst }: { messages: readonly Message[]; isFirst: boolean }) {
  const opener = messages[0]?.speaker
  const { base, waiting, elsewhere } = messageClasses
  return (
    <ol className="col-start-1 row-start-1 flex flex-col gap-3.5">
      {messages.map(({ speaker, text }, index) => {
        const right = speaker !== opener
        return (
          <li key={text} className={clsx('relative flex', right && 'justify-end')}>
            <div className={`${base} ${isFirst ? waiting : elsewhere}`}>
              <p className={clsx('mb-1 px-1 text-xs font-medium text-faint', right && 'text-right')}>
                {speaker}
              </p>
              <Bubble right={right}>{text}</Bubble>
            </div>
            {isFirst && index === 0 && <Typing speaker={speaker} />}
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

/** The sign that somebody writes the next message; `islands/chat.ts` moves it to that message. */
function Typing({ speaker }: { speaker: string }) {
  return (
    <div
      data-typing
      className="absolute top-5 left-0 animate-fade in-[.justify-end]:right-0 in-[.justify-end]:left-auto noscript:hidden motion-reduce:hidden print:hidden"
    >
      <Bubble right={false}>
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
