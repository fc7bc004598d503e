/** "pillar_topic" as "pillar topic" */
export const typeWord = (type: string): string => type.replaceAll(/[_-]+/g, ' ').trim() || 'node';
