import { ArrowRight } from 'lucide-react'
import { useState } from 'react'
import { Link } from 'react-router'
import type { Collaboration } from '#contract/collaborators.ts'
import { Button } from '#web/ui/button.tsx'
import { Question } from '#web/ui/question.ts'
import { useLeaveProject } from './my-mutations.ts'

type AcceptedActionsProps = { collaboration: Collaboration; titleId: string }

/** The way into a project that I joined, and the way out. */
export function AcceptedActions({ collaboration, titleId }: AcceptedActionsProps) {
  const { project } = collaboration
  const { mutate: leave } = useLeaveProject()
  const [isAsking, setAsking] = useState(false)

  function confirm() {
    setAsking(false)
    leave(collaboration)
  }

  return (
    <div className="flex items-center justify-between gap-3">
      <Link
        to={`/projects/${project._id}`}
        aria-describedby={titleId}
        className="inline-flex items-center gap-1.5 rounded-sm text-sm font-semibold text-accent after:absolute after:inset-0 after:rounded-lg hover:text-accent-strong"
      >
        Open Project
        <ArrowRight className="size-4" aria-hidden="true" />
      </Link>
      <Button
        variant="quiet"
        size="sm"
        aria-describedby={titleId}
        className="relative z-10 -mr-2"
        {...Question.near}
        onClick={() => setAsking(true)}
      >
        Leave
      </Button>
      {isAsking && (
        <Question
          question="Are you sure you want to leave this project?"
          detail={
            <>
              You will no longer be a collaborator on “<bdi>{project.title}</bdi>”. To come back, you need a
              new invitation.
            </>
          }
          verb="Leave"
          onConfirm={confirm}
          onClose={() => setAsking(false)}
        />
      )}
    </div>
  )
}
