#pragma once

#include <chrono>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "wyvern/geometry/math/rigid_transform.h"
#include "wyvern/geometry/shapes/rgba.h"
#include "wyvern/geometry/shapes/shape_specification.h"
#include "wyvern/geometry/viewer/viewer_params.h"
#include "wyvern/systems/common/class_macros.h"
#include "wyvern/systems/common/eigen_types.h"

namespace wyvern::geometry {

namespace internal {
class ViewerLink;
}  // namespace internal

/** A page in the browser that shows a scene while a program runs.

@code
Viewer viewer;
fmt::print("{}\n", viewer.web_url());  // Open it.
viewer.SetObject("/ball", Sphere(0.1), Rgba(0.8, 0.2, 0.1));
viewer.SetTransform("/ball", RigidTransformd(Eigen::Vector3d(0, 0, 1)));
@endcode

What is shown is a tree of paths, "/arm/hand/finger": each may have an object, a
pose in that of its parent, and properties, such as "visible". A path that does
not begin with '/' is below "/wyvern". Names of functions are those that users
of Drake's Meshcat know.

The page is served on a thread of its own, and only to who has the token in
web_url(). No function waits for a page, except Flush(), however slow or many
the pages are; a page that falls behind goes on with the newest state. All
functions can be called by any thread. The Viewer's end closes its pages.

Poses and numbers that are not finite throw std::logic_error. */
class Viewer {
 public:
  WYVERN_NO_COPY_NO_MOVE_NO_ASSIGN(Viewer);

  /** Begins to serve to this machine alone, at `port` or the first free one
  from 7000 to 7999. @throws std::runtime_error if it cannot, or the library was
  built without its page. */
  explicit Viewer(std::optional<int> port = std::nullopt);
  /** Begins to serve as the parameters say; throws likewise. */
  explicit Viewer(const ViewerParams& params);
  ~Viewer();

  /** Whether the library was built with the page, for which Node.js is needed;
  without it nothing can be viewed. */
  static bool IsAvailable();

  /** Returns the address to open in a browser, with the token. */
  std::string web_url() const;
  /** The port that is served. */
  int port() const;
  /** Pages that are open now. */
  int GetNumActiveConnections() const;
  /** Waits until every page has what was set so far, 10 s at most. */
  void Flush() const;

  /** @name Things shown */
  //@{
  /** Replaces what is at `path`. A half space is a large square; a mesh file is
  read, and one that cannot be is an error. */
  void SetObject(std::string_view path, const Shape& shape,
                 const Rgba& rgba = Rgba(0.9, 0.9, 0.9, 1.0));
  /** Triangles: `vertices` is 3 x n [m], `faces` 3 x m, indices of vertices,
  counter-clockwise seen from outside.
  @throws std::logic_error if an index is of no vertex. */
  void SetTriangleMesh(std::string_view path,
                       const Eigen::Ref<const Eigen::Matrix3Xd>& vertices,
                       const Eigen::Ref<const Eigen::Matrix3Xi>& faces,
                       const Rgba& rgba = Rgba(0.1, 0.1, 0.1, 1.0),
                       bool wireframe = false);
  /** Overload with a colour for each vertex, 3 x n, red, green, blue in [0, 1].
  While recording, and with a time [s], it is in the recording from then on, as
  segments are. */
  void SetTriangleColorMesh(std::string_view path,
                            const Eigen::Ref<const Eigen::Matrix3Xd>& vertices,
                            const Eigen::Ref<const Eigen::Matrix3Xi>& faces,
                            const Eigen::Ref<const Eigen::Matrix3Xd>& colors,
                            bool wireframe = false,
                            std::optional<double> time_in_recording = {});
  /** A line through points, 3 x n [m]; `line_width` is in pixels. */
  void SetLine(std::string_view path,
               const Eigen::Ref<const Eigen::Matrix3Xd>& vertices,
               double line_width = 1.0,
               const Rgba& rgba = Rgba(0.1, 0.1, 0.1, 1.0));
  /** Segments from each column of `start` to that of `end`. */
  void SetLineSegments(std::string_view path,
                       const Eigen::Ref<const Eigen::Matrix3Xd>& start,
                       const Eigen::Ref<const Eigen::Matrix3Xd>& end,
                       double line_width = 1.0,
                       const Rgba& rgba = Rgba(0.1, 0.1, 0.1, 1.0),
                       std::optional<double> time_in_recording = {});
  /** Draws an arrow from each column of `start`, 3 x n [m], along that of
  `arrows`, 3 x n [m]. The page has a slider for the scale of all arrows. While
  recording, and with a time [s], they are in the recording from then on, as
  segments are. @throws std::logic_error if the sizes differ. */
  void SetArrows(std::string_view path,
                 const Eigen::Ref<const Eigen::Matrix3Xd>& start,
                 const Eigen::Ref<const Eigen::Matrix3Xd>& arrows,
                 double line_width = 3.0,
                 const Rgba& rgba = Rgba(0.1, 0.1, 0.1, 1.0),
                 std::optional<double> time_in_recording = {});
  /** A text that faces whoever looks, `height` [m] high, its middle at the
  path's origin. */
  void SetLabel(std::string_view path, std::string_view text,
                double height = 0.05, const Rgba& rgba = Rgba(0, 0, 0, 1));
  /** Three axes of that length [m]: x red, y green, z blue. */
  void SetTriad(std::string_view path, double length = 0.25);

  /** The pose of `path` in that of its parent. While recording, and with a time
  [s], it is a frame of the recording too. */
  void SetTransform(std::string_view path,
                    const math::RigidTransform<double>& X_ParentPath,
                    std::optional<double> time_in_recording = std::nullopt);
  /** Sets a property of `path` and all below: "visible" (bool), "opacity" (0 to
  1), "color" (3 or 4 numbers), "wireframe" (bool), "live" (bool: hidden while a
  recording plays, which does not have it), and, for the path alone, "trail"
  (bool: the line along which its origin has moved). "/Grid", "/Axes" and
  "/Background" can be invisible too. Other properties mean nothing to the page.
  Recordings have none. */
  void SetProperty(std::string_view path, std::string property, bool value,
                   std::optional<double> time_in_recording = std::nullopt);
  /** Overload for a number. */
  void SetProperty(std::string_view path, std::string property, double value,
                   std::optional<double> time_in_recording = std::nullopt);
  /** Overload for several numbers. */
  void SetProperty(std::string_view path, std::string property,
                   const std::vector<double>& value,
                   std::optional<double> time_in_recording = std::nullopt);
  /** Takes away `path` and what is below; all below "/wyvern" by default. With
  a time, what was recorded at `path` ends then. */
  void Delete(std::string_view path = "",
              std::optional<double> time_in_recording = {});
  /** True if something is at `path` or below it. */
  bool HasPath(std::string_view path) const;

  /** Where the camera is and what it looks at, in the world [m]. */
  void SetCameraPose(const Eigen::Vector3d& camera_in_world,
                     const Eigen::Vector3d& target_in_world);
  /** The scene seen along -y of `X_WP`, without perspective; `xmin` to `xmax`
  is the width shown [m]. */
  void Set2dRenderMode(const math::RigidTransform<double>& X_WC = {},
                       double xmin = -1.0, double xmax = 1.0,
                       double ymin = -1.0, double ymax = 1.0);
  /** Returns to the view in perspective. */
  void ResetRenderMode();
  /** Sets the pace that the page shows: seconds simulated in a second. */
  void SetRealtimeRate(double rate);
  /** Sets the time that the page shows, [s]. */
  void SetSimulationTime(double time);
  //@}

  /** @name Controls
  A page's buttons and sliders, with keys of its keyboard that press them (as
  KeyboardEvent.code names them: "Space", "ArrowLeft"). Pages show controls in
  the order in which they were added. A value that is typed into a page is kept
  exactly, within the bounds. */
  //@{
  void AddButton(std::string name, std::string keycode = "");
  /** Returns how often a button was clicked, in all pages together.
  @throws std::out_of_range if there is no such button, as DeleteButton().
   */
  int GetButtonClicks(std::string_view name) const;
  /** Removes a button from pages. */
  void DeleteButton(std::string name);
  /** Returns the value, which is within the bounds and a whole number of steps
  from the least. @throws std::logic_error unless min <= max and step > 0. */
  double AddSlider(std::string name, double min, double max, double step,
                   double value, std::string decrement_keycode = "",
                   std::string increment_keycode = "");
  /** Sets it to the nearest value that it can have, which is returned.
  @throws std::out_of_range if there is no such slider, as the others. */
  double SetSliderValue(std::string name, double value);
  /** The value that pages or the program set last. */
  double GetSliderValue(std::string_view name) const;
  /** Removes a slider from pages. */
  void DeleteSlider(std::string name);
  /** Names of all sliders. */
  std::vector<std::string> GetSliderNames() const;
  /** Removes all buttons and sliders that were added. */
  void DeleteAddedControls();
  //@}

  /** @name Signals
  The page plots them over time, and writes them as CSV. */
  //@{
  /** Says what the elements of a signal are called, and its unit. */
  void SetSignal(std::string name, const std::vector<std::string>& elements,
                 const std::string& unit = "");
  /** The values of a signal at a time [s]; the last 4096 are kept. A time
  before the last one, or another number of values, begins the signal anew. */
  void AddSample(std::string_view name, double time,
                 const Eigen::Ref<const Eigen::VectorXd>& values);
  //@}

  /** @name Recordings
  Poses, segments and coloured triangles with a time are kept,
  `frames_per_second` at most, until StopRecording(). PublishRecording() gives
  the page a timeline. */
  //@{
  void StartRecording(double frames_per_second = 64.0,
                      bool set_transforms_while_recording = true);
  /** Ends the recording; it is kept until DeleteRecording(). */
  void StopRecording();
  /** Puts a text, such as "foot touches ground", on the timeline of the
  recording that is being made, at `time_in_recording` [s]; nothing if none is.
  Of more than 1000 the last says how many there are.
  @throws std::logic_error if the time is not finite. */
  void MarkRecording(std::string text, double time_in_recording);
  /** Sends the recording to pages, which show its timeline. */
  void PublishRecording();
  /** Removes the recording, also from pages. */
  void DeleteRecording();
  /** The page with all that it shows now, the recording too, as one file that
  needs no server and no network. */
  std::string StaticHtml() const;
  /** Writes that page to a file.
  @throws std::runtime_error if it cannot be written. */
  void SaveStaticHtml(const std::filesystem::path& file) const;
  //@}

 private:
  friend class internal::ViewerLink;
  class Impl;
  const std::unique_ptr<Impl> impl_;
};

}  // namespace wyvern::geometry
