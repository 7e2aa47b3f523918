import { clsx } from 'clsx'
import type { ReactNode } from 'react'
import { VisuallyHidden } from '#web/ui/visually-hidden.tsx'
import type { Message } from './voices.ts'

type ConversationProps = { messages: readonly Message[]; shown: number | null; typing: boolean }

/** A conversation: `shown` messages of it; null while another conversation has the floor. */
export function Conversation({ messages, shown, typing }: ConversationProps) {
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
                !visible && 'invisible',
                shown !== null && 'noscript:visible motion-reduce:visible',
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
        'absolute top-5 animate-fade noscript:hidden motion-reduce:hidden',
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
