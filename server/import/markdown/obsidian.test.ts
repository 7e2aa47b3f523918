import { expect, test } from 'vitest'
import { fromObsidian } from './obsidian.ts'

test.each([
  ['> [!info]- The *keel*\n> is straight', '> [!NOTE]\n> **The *keel***  \n> is straight'],
  ['> [!danger]\n> sharp', '> [!CAUTION]\n> sharp'],
  ['> > [!hint] Inner', '> > [!TIP]\n> > **Inner**  '],
  ['> [!NOTE]\n> as on GitHub', '> [!NOTE]\n> as on GitHub'],
  ['Sanded %%not %% well ^b1', 'Sanded <!--not --> well <!-- ^b1 -->'],
  ['![Keel|100](a.png) ![300x200](b.png) ![1 | 2](c.png)', '![Keel](a.png) ![](b.png) ![1 | 2](c.png)'],
  ['Cut^[With the *saw*, see [x](y)] it', 'Cut[^inline-1] it\n\n[^inline-1]: With the *saw*, see [x](y)\n'],
  ['a %%b\nc%% d\n%%\n# Drawing\n```json\n{}\n```\n%%', 'a  d\n'],
  ['```\n%%\nb\n%%\n```', '```\n%%\nb\n%%\n```'],
  ['50% to 60%, x ^2 y', '50% to 60%, x ^2 y'],
  ['`%%a%%`\n```\n> [!info] b\n%%c%%\n```', '`%%a%%`\n```\n> [!info] b\n%%c%%\n```'],
])('%j becomes %j', (text, expected) => {
  expect(fromObsidian(text)).toBe(expected)
})
