package dev.agenthealth.template;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Merges the template's globals into a resource's properties by SAM's rules. */
final class Globals {

    private Globals() {}

    /** Merges mappings key by key and joins lists, the globals' elements first; any other value of the resource replaces the global one. */
    static Map<String, Object> merged(Map<String, Object> globals, Map<String, Object> own) {
        Map<String, Object> result = new LinkedHashMap<>(globals);
        own.forEach((key, value) -> result.merge(key, value, Globals::mergedValue));
        return result;
    }

    private static Object mergedValue(Object global, Object own) {
        if (isMapping(global) && isMapping(own)) {
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

    /** Returns true if the value has keys to merge. An intrinsic function is a single value, although it is written as a mapping. */
    private static boolean isMapping(Object value) {
        return value instanceof Map<?, ?> map
                && !(map.size() == 1 && map.keySet().stream().allMatch(Globals::isIntrinsic));
    }

    private static boolean isIntrinsic(Object key) {
        return "Ref".equals(key) || String.valueOf(key).startsWith("Fn::");
    }
}
