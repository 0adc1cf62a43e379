package dev.agenthealth.local.documents;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Cuts Javadoc and Markdown into sentences, and judges each of them. */
final class Sentences {

    /** A sentence with more words than this is long. */
    static final int MAX_WORDS = 30;

    private static final int MIN_WORDS = 4;

    private static final Pattern COMMENT = Pattern.compile("/\\*\\*(.*?)\\*/", Pattern.DOTALL);

    /** A sentence that begins with a pronoun or a subordinate clause hides its subject. */
    private static final Pattern HIDDEN_SUBJECT = Pattern.compile(
            "^(?:Those|That of|One (?:that|of|whose|which|with)|Ones?\\b|What(?:ever)?\\b|Who(?:ever)?\\b"
                    + "|Of (?:the|a|those|what|an)\\b|Where\\b|Which\\b|There is|So is|Such\\b).*");

    /** A reference without a noun. A sentence with two of them has to be untangled. */
    private static final Pattern REFERENCE = Pattern.compile(
            "\\b(?:those (?:of|that|whose|which|with|where)|that of|one (?:that|whose|which|with)|the ones?\\b|ones that"
                    + "|what (?:it|they|is|was|has|a|an|the|nobody)\\b|where (?:it|there|one|they|an?|no|the)\\b|in no other of)",
            Pattern.CASE_INSENSITIVE);

    private Sentences() {}

    /** Returns the sentences of all Javadoc comments in the text of a Java file. */
    static List<String> ofJava(String source) {
        List<String> sentences = new ArrayList<>();
        Matcher comments = COMMENT.matcher(source);
        while (comments.find()) {
            String body = comments.group(1)
                    .replaceAll("(?m)^\\s*\\* ?", "")
                    .replaceAll("@(?:param|return|throws)\\s+\\S+", "");
            sentences.addAll(cut(body));
        }
        return sentences;
    }

    /**
     * Returns the sentences of the text of a Markdown file, without headings, tables and blocks of code. A sentence can
     * begin with bold text, and an item of a list can be a sentence.
     */
    static List<String> ofMarkdown(String document) {
        return cut(document.replaceAll("(?s)```.*?```", "")
                .replaceAll("(?m)^(?:\\||#).*$", "")
                .replaceAll("(?m)^\\s*(?:-|\\d+\\.) ", "")
                .replace("**", ""));
    }

    private static List<String> cut(String text) {
        String plain = text.replaceAll("\\{@\\w+ ([^}]*)}", "$1")
                .replaceAll("<[^>]+>|`[^`]*`", "X")
                .replaceAll("\\[([^\\]]*)]\\([^)]*\\)", "$1")
                .replaceAll("\\s+", " ");
        return Arrays.stream(plain.split("(?<=[.!?:])\\s+(?=[A-Z])"))
                .map(String::strip)
                .filter(sentence -> words(sentence) >= MIN_WORDS)
                .toList();
    }

    /** Returns whether a reader has to untangle the sentence. A question may begin with a pronoun. */
    static boolean isTangled(String sentence) {
        return HIDDEN_SUBJECT.matcher(sentence).matches() && !sentence.endsWith("?")
                || REFERENCE.matcher(sentence).results().count() >= 2;
    }

    static boolean isLong(String sentence) {
        return words(sentence) > MAX_WORDS;
    }

    private static int words(String sentence) {
        return sentence.strip().split("\\s+").length;
    }
}
