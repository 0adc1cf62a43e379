package dev.agenthealth.template;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Merges the template's globals into a resource's properties by SAM's rules. */
final class Globals {

    private Globals() {}

    /** Mappings merge key by key, lists are joined (the globals' elements first), anything else the resource wins. */
    static Map<String, Object> merged(Map<String, Object> globals, Map<String, Object> own) {
        Map<String, Object> result = new LinkedHashMap<>(globals);
        own.forEach((key, value) -> result.merge(key, value, Globals::mergedValue));
        return result;
    }

    private static Object mergedValue(Object global, Object own) {
        if (global instanceof Map<?, ?> && own instanceof Map<?, ?>) {
            return merged(
                    Section.of("Globals", global).values(),
                    Section.of("Properties", own).values());
        }
        if (global instanceof List<?> globalList && own instanceof List<?> ownList) {
            List<Object> joined = new ArrayList<>(globalList);
            joined.addAll(ownList);
            return joined;
        }
        return own;
    }
}
