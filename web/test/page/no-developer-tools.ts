/**
 * React's development build describes every element and every render to the browser's developer tools, which nobody looks at
 * here. Its warnings do not need that. React reads these once, when it loads.
 */
Object.assign(console, { createTask: undefined, timeStamp: undefined });
