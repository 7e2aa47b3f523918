import { Pause, Play } from 'lucide-react'
import { IconButton } from '#web/ui/icon-button.tsx'
import { Conversation } from './conversation.tsx'
import { useChat } from './use-chat.ts'
import { conversations } from './voices.ts'

/**
 * The conversations, one at a time. All of them lie in the same grid cell and only become visible, so the chat keeps the
 * size of the longest. Without scripts, and where motion is unwelcome, a conversation is there at once.
 */
export function Chat() {
  const chat = useChat()
  return (
    <section
      aria-label="Conversations"
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
